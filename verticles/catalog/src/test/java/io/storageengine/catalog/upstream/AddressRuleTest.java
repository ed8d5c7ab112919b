package io.storageengine.catalog.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.storageengine.core.FailureException;
import java.net.InetAddress;
import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AddressRuleTest {
    private static final AddressRule HOME = new AddressRule(true);
    private static final AddressRule PUBLIC = new AddressRule(false);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "169.254.169.254",
                "169.254.0.1",
                "0.0.0.0",
                "0.1.2.3",
                "224.0.0.1",
                "100.100.100.200",
                "fe80::1",
                "febf::1",
                "::",
                "::ffff:169.254.169.254",
                "64:ff9b::a9fe:a9fe",
                "2002:a9fe:a9fe::1",
                "::169.254.169.254",
                "fd00:ec2::254"
            })
    void linkLocalAndMetadataAddressesAreNeverCalled(String address) {
        InetAddress parsed = InetAddress.ofLiteral(address);
        assertThat(HOME.isForbidden(parsed)).isTrue();
        assertThat(PUBLIC.isForbidden(parsed)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "::1",
                "10.1.2.3",
                "172.16.0.1",
                "192.168.1.1",
                "100.64.0.1",
                "fd12::1",
                "::ffff:10.0.0.1"
            })
    void privateAddressesAreCalledWhereThatIsAllowed(String address) {
        InetAddress parsed = InetAddress.ofLiteral(address);
        assertThat(HOME.isForbidden(parsed)).isFalse();
        assertThat(PUBLIC.isForbidden(parsed)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"8.8.8.8", "2606:4700::1111", "100.128.0.1", "172.32.0.1"})
    void publicAddressesAreCalled(String address) {
        assertThat(PUBLIC.isForbidden(InetAddress.ofLiteral(address))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://2852039166/", "http://0xa9fea9fe/", "http://[fe80::1]/"})
    void addressesInOtherClothesAreKnown(String uri) {
        assertThatThrownBy(() -> HOME.checkLiteral(URI.create(uri))).isInstanceOf(FailureException.class);
        assertThatThrownBy(() -> HOME.checkResolved(URI.create(uri))).isInstanceOf(FailureException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://catalog.example.com/x", "http://no-such-host.invalid:8181"})
    void namesAreNotLookedUpWhenACatalogIsRegistered(String uri) {
        assertThatCode(() -> PUBLIC.checkLiteral(URI.create(uri))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://localhost:8181", "https://LOCALHOST", "http://a.localhost"})
    void thisMachineIsPrivate(String uri) {
        assertThatThrownBy(() -> PUBLIC.checkLiteral(URI.create(uri))).isInstanceOf(FailureException.class);
        assertThatCode(() -> HOME.checkLiteral(URI.create(uri))).doesNotThrowAnyException();
    }
}
