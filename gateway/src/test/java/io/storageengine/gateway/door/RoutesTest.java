package io.storageengine.gateway.door;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoutesTest {
    private static Route get(String path) {
        return Routes.classify("GET", path);
    }

    @Test
    void operationsAreExactPaths() {
        assertThat(get("/health")).isEqualTo(new Route.Health());
        assertThat(get("/health/ready")).isEqualTo(new Route.Ready());
        assertThat(get("/metrics")).isEqualTo(new Route.Metrics());
    }

    @Test
    void tokensAreExactPathsToo() {
        assertThat(get("/cluster/tokens")).isEqualTo(new Route.Tokens(""));
        assertThat(get("/cluster/tokens/0123")).isEqualTo(new Route.Tokens("0123"));
        for (String path :
                new String[] {"/cluster/tokens/a/b", "/cluster/tokensx", "/cluster/%74okens", "/%63luster/tokens"}) {
            assertThat(get(path)).as(path).isEqualTo(new Route.Absent());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/health/x", "/metrics/", "/ui", "/ui/x", "/cluster", "/iceberg/v1/config", "/_iceberg"})
    void whatIsReservedAndNotThereIsAbsent(String path) {
        assertThat(get(path)).isEqualTo(new Route.Absent());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/catalogs",
                "/catalogs/",
                "/catalogs/dev",
                "/catalogs/dev/v1/config",
                "/catalogs/dev/v1/namespaces/a/tables/b/rows/x",
                "/catalogs/dev/v1/namespaces/a/tables/b/channels",
                "/catalogs/dev/v1/namespaces/a/tables/b/channels/c/close/x",
                "/catalogs/dev/v1/namespaces/a/tables/b/committed/x",
                "/catalogs/%64ev"
            })
    void whatIsBelowCatalogsIsTheCatalogRooms(String path) {
        assertThat(get(path)).isEqualTo(new Route.Catalog());
    }

    @Test
    void rowsHaveAPathOfTheirOwn() {
        String path = "/catalogs/dev/v1/namespaces/a%1Fb%20c/tables/t%2Fx/rows";
        assertThat(Routes.classify("POST", path)).isEqualTo(new Route.Rows("dev", List.of("a", "b c"), "t/x"));
        assertThat(Routes.classify("GET", path)).isEqualTo(new Route.Rows("dev", List.of("a", "b c"), "t/x"));
    }

    @Test
    void channelsAndTokensHavePathsOfTheirOwn() {
        String table = "/catalogs/dev/v1/namespaces/a%1Fb/tables/t%2Fx/";
        List<String> namespace = List.of("a", "b");
        assertThat(get(table + "channels/c%2F1")).isEqualTo(new Route.Channel("dev", namespace, "t/x", "c/1", ""));
        assertThat(get(table + "channels/c/close")).isEqualTo(new Route.Channel("dev", namespace, "t/x", "c", "close"));
        assertThat(get(table + "committed")).isEqualTo(new Route.Committed("dev", namespace, "t/x"));
        assertThat(get(table + "channels/%zz")).isEqualTo(new Route.Malformed(false));
    }

    @Test
    void aBrokenEscapeIsMalformedInItsProtocol() {
        assertThat(Routes.classify("POST", "/catalogs/dev/v1/namespaces/%ZZ/tables/t/rows"))
                .isEqualTo(new Route.Malformed(false));
        assertThat(get("/bucket/%ff")).isEqualTo(new Route.Malformed(true));
        assertThat(get("/bucket/a%2")).isEqualTo(new Route.Malformed(true));
        assertThat(get("*")).isEqualTo(new Route.Malformed(false));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/|''|''",
                "/b|b|''",
                "/b/|b|''",
                "/b/k|b|k",
                "/b//k|b|/k",
                "/b/a/../k|b|a/../k",
                "/b/./a//|b|./a//",
                "/b/a%2Fb%20c+d|b|a/b c+d",
                "/b/%C3%A9|b|é",
                "/healthy/x|healthy|x",
                "/catalogs2|catalogs2|''"
            })
    void everythingElseIsStorageWithKeysAsTheyAre(String path, String bucket, String key) {
        assertThat(get(path)).isEqualTo(new Route.Storage(bucket, key));
    }

    @Test
    void anEncodedReservedNameIsReservedToo() {
        assertThat(get("/%75i")).isEqualTo(new Route.Absent());
    }

    @Test
    void creatingAReservedBucketIsForS3ToRefuse() {
        for (String name : Routes.RESERVED) {
            assertThat(Routes.classify("PUT", "/" + name)).isEqualTo(new Route.Storage(name, ""));
        }
    }

    @Test
    void targetsComeInOriginAndAbsoluteForm() {
        assertThat(Target.parse("/a/b?c=d")).isEqualTo(new Target("/a/b", "c=d"));
        assertThat(Target.parse("http://host:1/a/b?c=d")).isEqualTo(new Target("/a/b", "c=d"));
        assertThat(Target.parse("http://host")).isEqualTo(new Target("/", ""));
        assertThat(Target.parse("/b/http://x")).isEqualTo(new Target("/b/http://x", ""));
    }
}
