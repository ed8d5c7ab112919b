package io.storageengine.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.NamespaceNotEmptyException;
import org.apache.iceberg.exceptions.NoSuchViewException;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.view.BaseView;
import org.apache.iceberg.view.View;
import org.apache.iceberg.view.ViewMetadata;
import org.apache.iceberg.view.ViewOperations;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Iceberg's own Java client and the views of a native catalog.
final class NativeViewClientTest {
    private static final Schema SCHEMA = new Schema(
            Types.NestedField.required(1, "id", Types.LongType.get()),
            Types.NestedField.optional(2, "data", Types.StringType.get()));
    private static final Namespace SPACE = Namespace.of("n s", "b.c");
    private static final TableIdentifier VIEW = TableIdentifier.of(SPACE, "Some View/x");

    private final Room room = Room.dev();
    private final RESTCatalog catalog = clientOf(room, Map.of());

    private static RESTCatalog clientOf(Room room, Map<String, String> more) {
        RESTCatalog catalog =
                new RESTCatalog(Room.anybody(), properties -> new DirectClient(room.service, "/catalogs/dev"));
        Map<String, String> properties = new HashMap<>(more);
        properties.put("uri", "http://none.invalid/");
        properties.put("io-impl", MemoryIo.class.getName());
        catalog.initialize("it", properties);
        return catalog;
    }

    @BeforeEach
    void makeNamespace() {
        MemoryIo.BUCKETS.set(room.buckets);
        catalog.createNamespace(SPACE);
    }

    private View created() {
        return catalog.buildView(VIEW)
                .withSchema(SCHEMA)
                .withDefaultNamespace(SPACE)
                .withQuery("spark", "select 1")
                .withProperty("comment", "hello")
                .create();
    }

    private static ViewMetadata metadata(View view) {
        return ((BaseView) view).operations().current();
    }

    @Test
    void aViewIsCreatedReplacedAndReadByAnotherProcess() {
        View view = created();
        view.replaceVersion()
                .withSchema(SCHEMA)
                .withDefaultNamespace(SPACE)
                .withQuery("spark", "select 2")
                .withQuery("trino", "select 3")
                .commit();
        view.updateProperties().set("k", "v").remove("comment").commit();
        View seen = clientOf(room.restarted(), Map.of()).loadView(VIEW);
        assertThat(seen.sqlFor("spark").sql()).isEqualTo("select 2");
        assertThat(seen.sqlFor("trino").sql()).isEqualTo("select 3");
        assertThat(seen.versions()).hasSize(2);
        assertThat(seen.properties()).isEqualTo(Map.of("k", "v"));
        assertThat(seen.schema().asStruct()).isEqualTo(SCHEMA.asStruct());
        assertThat(metadata(seen).metadataFileLocation()).contains("/metadata/00002-");
        assertThat(catalog.listViews(SPACE)).containsExactly(VIEW);
        assertThat(catalog.listTables(SPACE)).isEmpty();
    }

    @Test
    void aReplacementThatLostARaceIsPutOnTheWinnersView() {
        ViewOperations operations = ((BaseView) created()).operations();
        ViewMetadata base = operations.current();
        ViewMetadata one =
                ViewMetadata.buildFrom(base).setProperties(Map.of("one", "1")).build();
        ViewMetadata two =
                ViewMetadata.buildFrom(base).setProperties(Map.of("two", "2")).build();
        operations.commit(base, one);
        operations.commit(base, two);
        assertThat(catalog.loadView(VIEW).properties()).containsKeys("comment", "one", "two");
    }

    @Test
    void aViewThatIsGoneIsToldAsSuch() {
        View view = created();
        assertThat(catalog.dropView(VIEW)).isTrue();
        assertThat(catalog.dropView(VIEW)).isFalse();
        assertThat(catalog.viewExists(VIEW)).isFalse();
        assertThatThrownBy(() -> view.updateProperties().set("k", "v").commit())
                .isInstanceOf(NoSuchViewException.class)
                .hasMessageContaining("View does not exist: n s.b.c.Some View/x");
        created();
        ViewOperations operations = ((BaseView) view).operations();
        ViewMetadata base = operations.current();
        ViewMetadata next =
                ViewMetadata.buildFrom(base).setProperties(Map.of("k", "v")).build();
        assertThatThrownBy(() -> operations.commit(base, next))
                .isInstanceOf(CommitFailedException.class)
                .hasMessageContaining("view UUID does not match");
    }

    @Test
    void tablesAndViewsKeepOutOfEachOthersNames() {
        Transaction staged = catalog.buildTable(VIEW, SCHEMA).createTransaction();
        created();
        assertThatThrownBy(staged::commitTransaction)
                .isInstanceOf(AlreadyExistsException.class)
                .hasMessage("View with same name already exists: n s.b.c.Some View/x");
        assertThatThrownBy(() -> catalog.createTable(VIEW, SCHEMA)).isInstanceOf(AlreadyExistsException.class);
        TableIdentifier table = TableIdentifier.of(SPACE, "t");
        catalog.createTable(table, SCHEMA);
        assertThatThrownBy(() -> catalog.renameView(VIEW, table))
                .isInstanceOf(AlreadyExistsException.class)
                .hasMessage("Cannot rename n s.b.c.Some View/x to n s.b.c.t. Table already exists");
        catalog.dropTable(table);
        assertThatThrownBy(() -> catalog.dropNamespace(SPACE)).isInstanceOf(NamespaceNotEmptyException.class);
        catalog.renameView(VIEW, table);
        assertThat(catalog.listViews(SPACE)).containsExactly(table);
    }

    @Test
    void aDroppedViewIsRegisteredFromItsFile() {
        String location = metadata(created()).metadataFileLocation();
        catalog.dropView(VIEW);
        View back = catalog.registerView(VIEW, location);
        assertThat(back.sqlFor("spark").sql()).isEqualTo("select 1");
        assertThat(metadata(back).metadataFileLocation()).isEqualTo(location);
    }

    @Test
    void allPagesOfViewsAreRead() {
        RESTCatalog paging = clientOf(room, Map.of("rest-page-size", "2"));
        for (String name : List.of("a", "b", "c", "d", "e")) {
            catalog.buildView(TableIdentifier.of(SPACE, name))
                    .withSchema(SCHEMA)
                    .withDefaultNamespace(SPACE)
                    .withQuery("spark", "select 1")
                    .create();
        }
        assertThat(paging.listViews(SPACE)).hasSize(5);
    }
}
