package io.storageengine.gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class NeedTest {
    private static Caller caller(String... rights) {
        return new Caller(
                "ann",
                List.of(rights).stream()
                        .map(text -> Right.parse(text).orElseThrow())
                        .toList());
    }

    @ParameterizedTest
    @CsvSource({
        "GET,/v1/config,READ",
        "GET,/v1/namespaces,READ",
        "HEAD,/v1/namespaces/ns,READ",
        "GET,/v1/namespaces/ns/tables/t,READ",
        "HEAD,/v1/namespaces/ns/tables/t,READ",
        "GET,/v1/namespaces/ns/views/v,READ",
        "POST,/v1/namespaces/ns/tables/t/plan,READ",
        "GET,/v1/namespaces/ns/tables/t/plan/p1,READ",
        "DELETE,/v1/namespaces/ns/tables/t/plan/p1,READ",
        "POST,/v1/namespaces/ns/tables/t/tasks,READ",
        "POST,/v1/namespaces/ns/tables/t/metrics,READ",
        "GET,/v1/namespaces/ns/tables/t/credentials,WRITE",
        "POST,/v1/namespaces/ns/tables/t/sign,WRITE",
        "POST,/v1/namespaces,WRITE",
        "DELETE,/v1/namespaces/ns,WRITE",
        "POST,/v1/namespaces/ns/properties,WRITE",
        "POST,/v1/namespaces/ns/tables,WRITE",
        "POST,/v1/namespaces/ns/tables/t,WRITE",
        "DELETE,/v1/namespaces/ns/tables/t,WRITE",
        "POST,/v1/namespaces/ns/tables/t/rows,WRITE",
        "POST,/v1/namespaces/ns/register,WRITE",
        "POST,/v1/namespaces/ns/views,WRITE",
        "POST,/v1/tables/rename,WRITE",
        "POST,/v1/views/rename,WRITE",
        "POST,/v1/transactions/commit,WRITE",
        "PUT,/v1/namespaces/ns,WRITE",
        "PATCH,/v1/namespaces/ns/tables/t/plan,WRITE",
        "POST,/v1/namespaces/plan,WRITE",
        "POST,/v1/namespaces/ns/tables/plan,WRITE",
        "POST,/v1/namespaces/ns/tables/t/plan/,WRITE",
        "POST,/v1/namespaces/ns/tables/t/%70lan,WRITE",
        "POST,/v1/a/b/tables/t/plan,WRITE",
        "GET,'',ADMIN",
        "DELETE,'',ADMIN",
        "GET,/,ADMIN",
        "GET,/v1,ADMIN",
        "GET,/v2/namespaces,ADMIN",
        "GET,/history,READ",
        "GET,/history/,READ",
        "POST,/history,ADMIN",
        "GET,/events,READ",
        "DELETE,/events,ADMIN",
        "GET,/history/1,ADMIN",
        "POST,/restore,ADMIN",
        "POST,/restore,ADMIN"
    })
    void everyCallNeedsItsLevel(String method, String below, Level level) {
        assertThat(Need.of(method, "/catalogs/dev" + below)).isEqualTo(new Need.On("dev", level));
    }

    @Test
    void catalogsAreRegisteredByWhoAdministersThem() {
        assertThat(Need.of("POST", "/catalogs")).isEqualTo(new Need.Registering());
        assertThat(Need.of("POST", "/catalogs/")).isEqualTo(new Need.Registering());
        assertThat(Need.of("GET", "/catalogs")).isEqualTo(new Need.On("*", Level.ADMIN));
        byte[] dev = "{\"catalog_id\":\"dev\",\"config\":{}}".getBytes(StandardCharsets.UTF_8);
        Need.Registering need = new Need.Registering();
        assertThat(need.refusal(caller("dev:write"))).isPresent();
        assertThat(need.refusal(caller("other:admin"))).isEmpty();
        assertThat(need.refusal(caller("other:admin"), dev)).isPresent();
        assertThat(need.refusal(caller("dev:admin"), dev)).isEmpty();
        assertThat(need.refusal(caller("*:admin"), dev)).isEmpty();
        assertThat(need.refusal(caller("*:admin"), new byte[0])).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "native,'',true",
        "native,'s3://theirs/',false",
        "native,'s3://dev/',false",
        "rest,'their-name-for-it',true",
        "other,'s3://theirs/',false"
    })
    void whoAdministersOneCatalogPutsItAtItsOwnPlace(String type, String warehouse, boolean may) {
        String place = warehouse.isEmpty() ? "" : ",\"warehouse\":\"" + warehouse + "\"";
        byte[] body = ("{\"catalog_id\":\"dev\",\"config\":{\"type\":\"" + type + "\"" + place + "}}")
                .getBytes(StandardCharsets.UTF_8);
        Need.Registering need = new Need.Registering();
        assertThat(need.refusal(caller("dev:admin"), body).isEmpty()).isEqualTo(may);
        assertThat(need.refusal(caller("*:admin"), body)).isEmpty();
    }

    /// What this door reads otherwise than the catalog room would be a way past it.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{",
                "{}",
                "{\"catalog_id\":1}",
                "{\"catalog_id\":\"dev\",\"catalog_id\":\"other\"}",
                "{\"catalog_id\":\"other\",\"catalog_id\":\"dev\"}",
                "{\"catalog_id\":\"dev\"} {}"
            })
    void aBodyThatDoesNotPlainlyNameTheCatalogIsRefusedToItsAdministrator(String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        assertThat(new Need.Registering().refusal(caller("dev:admin"), bytes)).isPresent();
    }

    @ParameterizedTest
    @EnumSource(Level.class)
    void aRightHoldsForItsLevelAndThoseBelowOnItsCatalogAlone(Level level) {
        Caller one = caller("dev:" + level.word());
        Caller all = caller("*:" + level.word());
        for (Level wanted : Level.values()) {
            boolean enough = wanted.compareTo(level) <= 0;
            assertThat(new Need.On("dev", wanted).refusal(one).isEmpty()).isEqualTo(enough);
            assertThat(new Need.On("dev", wanted).refusal(all).isEmpty()).isEqualTo(enough);
            for (String other : List.of("devx", "de", "dev ", "DEV", "", "*")) {
                assertThat(new Need.On(other, wanted).refusal(one)).as(other).isPresent();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"/catalogs/%64ev/v1/config,dev", "/catalogs//dev/v1/config,''", "/catalogs/%zz/v1/config,''"})
    void theIdIsReadAsTheRoomReadsIt(String path, String catalog) {
        assertThat(Need.of("GET", path))
                .isInstanceOfSatisfying(
                        Need.On.class, on -> assertThat(on.catalog()).isEqualTo(catalog));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev", "dev:", "dev:owner", ":read", "Dev:read", "dev:read:write", "*x:read", "de v:read"})
    void whatIsNoRightIsNotRead(String text) {
        assertThat(Right.parse(text)).isEmpty();
    }
}
