package io.storageengine.gateway.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    private static Settings read(Map<String, String> environment, String... args) {
        return ((CommandLineReader.Run) CommandLineReader.read(args, environment)).settings();
    }

    private static Settings dev(String... flags) {
        String[] args = new String[flags.length + 1];
        args[0] = "dev";
        System.arraycopy(flags, 0, args, 1, flags.length);
        return read(Map.of(), args);
    }

    private static void refused(Map<String, String> environment, String message, String... args) {
        assertThatThrownBy(() -> read(environment, args))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining(message);
    }

    /// Every key, its variable and its defaults: whoever changes one changes it here and in the README.
    @Test
    void everyKeyHasItsNameAndItsDefaults() {
        String[] keys = Arrays.stream(Key.values())
                .map(key -> key.flag() + " " + key.env() + " dev=" + key.standard(Mode.DEV) + " serve="
                        + key.standard(Mode.SERVE))
                .toArray(String[]::new);
        assertThat(keys)
                .containsExactly(
                        "server.address SE_SERVER_ADDRESS dev=127.0.0.1:7777 serve=127.0.0.1:7777",
                        "server.url SE_SERVER_URL dev= serve=",
                        "server.requests-max SE_SERVER_REQUESTS_MAX dev=1000 serve=1000",
                        "server.rest-body-bytes-max SE_SERVER_REST_BODY_BYTES_MAX dev=33554432 serve=33554432",
                        "server.stop-ms SE_SERVER_STOP_MS dev=20000 serve=20000",
                        "insecure SE_INSECURE dev=false serve=false",
                        "storage SE_STORAGE dev=local:./se-data serve=",
                        "opendal-service SE_OPENDAL_SERVICE dev= serve=",
                        "s3.endpoint SE_S3_ENDPOINT dev= serve=",
                        "s3.region SE_S3_REGION dev= serve=",
                        "s3.path-style SE_S3_PATH_STYLE dev=true serve=true",
                        "node.name SE_NODE_NAME dev=se serve=se",
                        "ingest.memory-bytes-max SE_INGEST_MEMORY_BYTES_MAX dev=1073741824 serve=1073741824",
                        "ingest.atomic-bytes-max SE_INGEST_ATOMIC_BYTES_MAX dev=1073741824 serve=1073741824",
                        "ingest.inline-bytes-max SE_INGEST_INLINE_BYTES_MAX dev=16777216 serve=16777216",
                        "ingest.commit-interval-ms SE_INGEST_COMMIT_INTERVAL_MS dev=1000 serve=10000",
                        "ingest.commit-bytes SE_INGEST_COMMIT_BYTES dev=134217728 serve=134217728",
                        "catalog.replace-foreign-locations SE_CATALOG_REPLACE_FOREIGN_LOCATIONS dev=false serve=false",
                        "secrets.key-file SE_SECRETS_KEY_FILE dev= serve=",
                        "secrets.key SE_SECRETS_KEY dev= serve=",
                        "auth.tokens SE_AUTH_TOKENS dev=false serve=true",
                        "auth.token SE_AUTH_TOKEN dev= serve=",
                        "log.level SE_LOG_LEVEL dev=info serve=info");
    }

    @Test
    void theDefaultsMakeAWholeTree() {
        assertThat(dev())
                .isEqualTo(new Settings(
                        Mode.DEV,
                        "se",
                        new Settings.Server("127.0.0.1", 7777, "", 1_000, 32 << 20, 20_000, false),
                        new Settings.LocalStorage(Path.of("./se-data")),
                        new Settings.Ingest(1L << 30, 1L << 30, 16 << 20, 1_000, 128 << 20),
                        new Settings.Catalog(false),
                        new Settings.Secrets(Optional.empty(), ""),
                        new Settings.Auth(false, ""),
                        "info"));
    }

    @ParameterizedTest
    @EnumSource(Key.class)
    void everyKeyIsAFlagAndAVariableAndTheFlagWins(Key key) {
        Map<String, String> environment = new HashMap<>(Map.of("SE_STORAGE", "local:x"));
        environment.put(key.env(), "\u0000bad");
        try {
            String bad = read(environment, "dev").toString();
            boolean free = key == Key.SECRETS_KEY || key == Key.AUTH_TOKEN || key == Key.SECRETS_KEY_FILE;
            boolean unused = key == Key.OPENDAL_SERVICE || key.flag().startsWith("s3.");
            assertThat(free || unused).as(bad).isTrue();
        } catch (StartRefused | InvalidPathException e) {
            assertThat(e.getMessage()).contains("bad");
        }
        environment.put(key.env(), "ignored because of the flag");
        String good = key == Key.INSECURE ? "true" : valueFor(key);
        assertThat(read(environment, "dev", "--" + key.flag() + "=" + good)).isNotNull();
    }

    private static String valueFor(Key key) {
        String standard = key.standard(Mode.DEV);
        return standard.isEmpty() ? (key == Key.SERVER_URL ? "http://h:1" : "s3") : standard;
    }

    @Test
    void unknownFlagsAndVariablesStopTheStart() {
        refused(Map.of(), "'--server.adress'", "dev", "--server.adress", "x");
        refused(Map.of("SE_SERVER_ADRESS", "x"), "SE_SERVER_ADRESS", "dev");
        refused(Map.of(), "Unmatched argument", "deploy");
        assertThat(read(Map.of("SERVER_ADRESS", "x"), "dev")).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"7777", ":7777", "host:", "h:70000", "h:-1", "h:x"})
    void anAddressIsHostAndPort(String address) {
        assertThatThrownBy(() -> dev("--server.address", address)).isInstanceOf(StartRefused.class);
    }

    @Test
    void anAddressMayBeOfIpVersion6() {
        Settings.Server server = dev("--server.address", "[::1]:80").server();
        assertThat(server.host()).isEqualTo("::1");
        assertThat(server.url(80)).isEqualTo("http://[::1]:80");
    }

    @Test
    void beyondLoopbackSomethingMustBeSaidAloud() {
        refused(Map.of(), "--insecure", "dev", "--server.address", "0.0.0.0:7777");
        refused(Map.of("SE_AUTH_TOKEN", "t"), "--insecure", "dev", "--server.address", "0.0.0.0:7777");
        assertThat(dev("--server.address", "0.0.0.0:7777", "--insecure")
                        .server()
                        .insecure())
                .isTrue();
    }

    @Test
    void serveAsksForTokensUnlessItIsInsecure() {
        assertThat(auth(Map.of())).isEqualTo(new Settings.Auth(true, ""));
        assertThat(auth(Map.of("SE_AUTH_TOKEN", "t"))).isEqualTo(new Settings.Auth(true, "t"));
        assertThat(auth(Map.of(), "--insecure").asks()).isFalse();
        assertThat(auth(Map.of(), "--insecure", "--auth.tokens=true").asks()).isTrue();
        assertThat(auth(Map.of("SE_AUTH_TOKEN", "t"), "--insecure").asks()).isTrue();
        String[] open = {"serve", "--storage", "s3://lake", "--auth.tokens=false"};
        refused(Map.of(), "--insecure", open);
        refused(Map.of("SE_AUTH_TOKEN", "t"), "drop one", open);
    }

    private static Settings.Auth auth(Map<String, String> environment, String... flags) {
        String[] args = Arrays.copyOf(new String[] {"serve", "--storage", "s3://lake"}, 3 + flags.length);
        System.arraycopy(flags, 0, args, 3, flags.length);
        return read(environment, args).auth();
    }

    @Test
    void devAsksForTokensWhenToldSo() {
        assertThat(dev().auth().asks()).isFalse();
        assertThat(dev("--auth.tokens", "true").auth().asks()).isTrue();
        assertThat(dev("--auth.token", "t").auth()).isEqualTo(new Settings.Auth(true, "t"));
    }

    @ParameterizedTest
    @CsvSource({
        "s3://bucket,bucket,''",
        "s3://bucket/,bucket,''",
        "s3://bucket/a/b,bucket,a/b/",
        "s3://bucket//a/b/,bucket,a/b/"
    })
    void storageOnS3IsABucketAndAPrefix(String storage, String bucket, String prefix) {
        Settings settings = read(Map.of("AWS_REGION", "eu-1"), "serve", "--storage", storage);
        assertThat(settings.storage())
                .isEqualTo(new Settings.S3Storage(bucket, prefix, "", "eu-1", true, Optional.empty()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3://", "s3:///x", "local:", "file:x", "bucket"})
    void otherStorageIsRefused(String storage) {
        refused(Map.of(), "--storage", "dev", "--storage", storage);
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3://Bad_Bucket!", "s3://ab", "s3://a..b/x", "s3://-ab", "s3://10.0.0.1/x"})
    void aBucketsNameIsCheckedAndSaid(String storage) {
        refused(Map.of(), "3 to 63 of a-z, 0-9", "serve", "--storage", storage);
        refused(Map.of("OPENDAL_S3_BUCKET", storage.substring(5)), "3 to 63 of a-z, 0-9", "serve");
    }

    @Test
    void serveNeedsObjectStorage() {
        refused(Map.of(), "--storage s3://bucket/prefix", "serve");
        refused(Map.of(), "--storage s3://bucket/prefix", "serve", "--storage", "local:x");
    }

    @Test
    void theSeedEnginesVariablesSelectS3() {
        Map<String, String> bucket = Map.of(
                "OPENDAL_S3_BUCKET", "bucket",
                "OPENDAL_S3_ENDPOINT", "http://e:1",
                "OPENDAL_S3_REGION", "r",
                "OPENDAL_S3_ROOT", "/lake/",
                "OPENDAL_S3_ACCESS_KEY_ID", "id",
                "OPENDAL_S3_SECRET_ACCESS_KEY", "secret");
        Settings.S3Storage s3 = new Settings.S3Storage(
                "bucket", "lake/", "http://e:1", "r", true, Optional.of(new Settings.Keys("id", "secret")));
        assertThat(read(bucket, "serve").storage()).isEqualTo(s3);
        assertThat(read(bucket, "dev").storage()).isEqualTo(s3);
        assertThat(read(bucket, "dev", "--opendal-service", "s3").storage()).isEqualTo(s3);
        assertThat(read(bucket, "dev", "--storage", "local:x").storage())
                .isEqualTo(new Settings.LocalStorage(Path.of("x")));
        refused(Map.of("SE_OPENDAL_SERVICE", "s3"), "OPENDAL_S3_BUCKET", "dev");
        refused(Map.of("SE_OPENDAL_SERVICE", "fs"), "--storage local:DIR", "dev");
    }

    @Test
    void secretsAreNotInWhatIsPrinted() {
        Map<String, String> environment = Map.of(
                "SE_AUTH_TOKEN", "hidden-1",
                "SE_SECRETS_KEY", "hidden-2",
                "OPENDAL_S3_BUCKET", "bucket",
                "OPENDAL_S3_ACCESS_KEY_ID", "id",
                "OPENDAL_S3_SECRET_ACCESS_KEY", "hidden-3");
        assertThat(read(environment, "serve").toString()).doesNotContain("hidden-");
    }

    @Test
    void helpNamesEveryKey() {
        for (String[] args : new String[][] {{"dev", "--help"}, {"serve", "-h"}}) {
            String help = ((CommandLineReader.Print) CommandLineReader.read(args, Map.of())).text();
            for (Key key : Key.values()) assertThat(help).contains("--" + key.flag());
            assertThat(help).doesNotContain("--train");
        }
        assertThat(((CommandLineReader.Print) CommandLineReader.read(new String[0], Map.of())).text())
                .contains("dev")
                .contains("serve");
    }
}
