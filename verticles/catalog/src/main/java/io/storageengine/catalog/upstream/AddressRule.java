package io.storageengine.catalog.upstream;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Which addresses this server may call on behalf of a catalog's configuration: never the link-local ones,
/// where clouds keep their metadata services and credentials.
///
/// @param privateAllowed whether loopback and private networks are fine
public record AddressRule(boolean privateAllowed) {
    /// Metadata services outside the link-local range (Alibaba Cloud; AWS by IPv6).
    private static final Set<String> METADATA = Set.of("100.100.100.200", "fd00:ec2:0:0:0:0:0:254");

    /// Checks what can be checked without a look at the name service: an address written as a number.
    ///
    /// @throws FailureException `INVALID` (`UnprocessableEntityException`)
    public void checkLiteral(URI uri) {
        InetAddress address = literal(host(uri));
        if (address != null && isForbidden(address))
            throw refused(Failure.Kind.INVALID, "UnprocessableEntityException");
        if (address == null && isLocalName(host(uri)) && !privateAllowed) {
            throw refused(Failure.Kind.INVALID, "UnprocessableEntityException");
        }
    }

    /// Checks every address that the host stands for now.
    ///
    /// @throws FailureException `FORBIDDEN` (`ForbiddenException`), `UNAVAILABLE` when the name is not known
    public void checkResolved(URI uri) {
        try {
            for (InetAddress address : InetAddress.getAllByName(host(uri))) {
                if (isForbidden(address)) throw refused(Failure.Kind.FORBIDDEN, "ForbiddenException");
            }
        } catch (UnknownHostException e) {
            throw Upstreams.unavailable("the host of the upstream catalog is not known");
        }
    }

    private static FailureException refused(Failure.Kind kind, String code) {
        return new FailureException(new Failure(
                kind, code, "The upstream catalog's address is not allowed: link-local, metadata or private"));
    }

    private static String host(URI uri) {
        String host = String.valueOf(uri.getHost());
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private static boolean isLocalName(String host) {
        return host.equalsIgnoreCase("localhost") || host.endsWith(".localhost");
    }

    private static @Nullable InetAddress literal(String host) {
        try {
            return host.indexOf(':') >= 0 ? InetAddress.ofLiteral(host) : Inet4Address.ofPosixLiteral(host);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    boolean isForbidden(InetAddress address) {
        InetAddress real = embedded(address);
        if (real.isLinkLocalAddress() || real.isAnyLocalAddress() || real.isMulticastAddress()) return true;
        byte[] bytes = real.getAddress();
        if (METADATA.contains(real.getHostAddress()) || (bytes.length == 4 && bytes[0] == 0)) return true;
        return !privateAllowed && (real.isLoopbackAddress() || isPrivate(real));
    }

    private static boolean isPrivate(InetAddress address) {
        byte[] bytes = address.getAddress();
        boolean shared = bytes.length == 4 && bytes[0] == 100 && (bytes[1] & 0xc0) == 64;
        boolean uniqueLocal = bytes.length == 16 && (bytes[0] & 0xfe) == 0xfc;
        return address.isSiteLocalAddress() || shared || uniqueLocal;
    }

    /// The IPv4 address inside an IPv6 one (NAT64, 6to4, IPv4-compatible), else the address itself.
    private static InetAddress embedded(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length != 16) return address;
        boolean nat64 = bytes[0] == 0 && bytes[1] == 0x64 && (bytes[2] & 0xff) == 0xff && (bytes[3] & 0xff) == 0x9b;
        boolean sixToFour = bytes[0] == 0x20 && bytes[1] == 0x02;
        boolean compatible = isZero(bytes, 0, 12) && !isZero(bytes, 12, 15);
        if (nat64 || compatible) return inet4(bytes, 12);
        return sixToFour ? inet4(bytes, 2) : address;
    }

    private static boolean isZero(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) if (bytes[i] != 0) return false;
        return true;
    }

    private static InetAddress inet4(byte[] bytes, int from) {
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(bytes, from, from + 4));
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}
