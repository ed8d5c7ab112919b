package io.storageengine.catalog.rest;

import io.storageengine.catalog.iceberg.Location;
import io.storageengine.catalog.iceberg.Refusals;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import java.io.StringReader;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.apache.iceberg.rest.requests.RemoteSignRequest;
import org.jspecify.annotations.Nullable;

/// Which S3 requests are signed for the users of a table: those to this node's endpoint, in path style, whose
/// every key lies below the table's location. All others are `FORBIDDEN`.
///
/// @param endpoint of the S3 API, as clients are told it
/// @param table the table's location, or the place that was named to who is about to make it
record SignRule(URI endpoint, Location table) {
    void check(RemoteSignRequest request) {
        if (!authority(endpoint).equals(authority(request.uri()))) {
            throw forbidden("the address is not that of this server's S3 API, " + endpoint);
        }
        checkNames(request);
        List<Location> objects = objects(request);
        if (objects.isEmpty()) throw outside();
        for (Location object : objects) {
            if (!object.bucket().equals(table.bucket())) throw outside();
            checkInside(object.key());
        }
        source(request).ifPresent(this::checkSource);
    }

    /// A header that came twice, in two spellings, would be looked at in one and signed in the other.
    private static void checkNames(RemoteSignRequest request) {
        Set<String> names = new HashSet<>();
        for (String name : request.headers().keySet()) {
            if (!names.add(name.toLowerCase(Locale.ROOT))) throw forbidden("the header " + name + " is there twice");
        }
    }

    /// The objects that a request is for; for a listing its prefix. None when it is for something else.
    static List<Location> objects(RemoteSignRequest request) {
        if (request.uri().isOpaque() || request.uri().getRawAuthority() == null) {
            throw Refusals.bad(
                    "uri is the address of an S3 request, http://host/bucket/key, not '" + request.uri() + "'");
        }
        String path = decoded(request.uri().getRawPath());
        int slash = path.indexOf('/', 1);
        String bucket = slash < 0 ? path.substring(Math.min(1, path.length())) : path.substring(1, slash);
        return keys(request, slash < 0 ? "" : path.substring(slash + 1)).stream()
                .map(key -> new Location(bucket, key))
                .toList();
    }

    private static String authority(URI uri) {
        String text = uri.getScheme() + "://" + uri.getRawAuthority();
        return text.toLowerCase(Locale.ROOT);
    }

    private static List<String> keys(RemoteSignRequest request, String key) {
        if (!key.isEmpty()) return List.of(key);
        Map<String, String> query = S3Signature.query(request.uri()).stream()
                .collect(Collectors.toMap(S3Signature.Param::name, S3Signature.Param::value, (first, second) -> first));
        String prefix = query.get("prefix");
        if (request.method().equals("GET") && prefix != null) return List.of(prefix);
        if (request.method().equals("POST") && query.containsKey("delete")) return deleted(request.body());
        return List.of();
    }

    private void checkInside(String key) {
        if (table.key().isEmpty() || !key.startsWith(table.key() + "/")) throw outside();
    }

    private static Optional<String> source(RemoteSignRequest request) {
        return request.headers().entrySet().stream()
                .filter(header -> header.getKey().equalsIgnoreCase("x-amz-copy-source"))
                .map(header -> decoded(String.join("", header.getValue())))
                .findFirst();
    }

    private void checkSource(String source) {
        String path = source.startsWith("/") ? source.substring(1) : source;
        String start = table.bucket() + "/";
        if (!path.startsWith(start)) throw outside();
        checkInside(path.substring(start.length()));
    }

    /// The keys of a DeleteObjects request.
    private static List<String> deleted(@Nullable String body) {
        List<String> keys = new ArrayList<>();
        if (body == null) throw forbidden("the request's body must be sent with it: it names what is deleted");
        XMLInputFactory factory = XMLInputFactory.newFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        try {
            XMLStreamReader xml = factory.createXMLStreamReader(new StringReader(body));
            while (xml.hasNext()) {
                if (xml.next() == XMLStreamReader.START_ELEMENT
                        && xml.getLocalName().equals("Key")) {
                    keys.add(xml.getElementText());
                }
            }
        } catch (XMLStreamException e) {
            throw forbidden("the request's body is not what DeleteObjects takes");
        }
        if (keys.isEmpty()) throw forbidden("the request's body names no keys");
        return keys;
    }

    private static String decoded(String raw) {
        try {
            return URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw forbidden("the address is not percent-encoded as it should be");
        }
    }

    private FailureException outside() {
        return forbidden("it is not for files below the table's location, " + table);
    }

    private static FailureException forbidden(String why) {
        return new FailureException(
                new Failure(Failure.Kind.FORBIDDEN, "ForbiddenException", "The request is not signed: " + why));
    }
}
