package io.storageengine.gateway.s3;

import io.storageengine.core.store.ListPage;
import io.storageengine.core.store.ListRequest;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.gateway.door.Percent;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.function.UnaryOperator;

/// The listings of a bucket: versions 2 and 1, and that of object versions, of which each object has one.
final class ListCalls {
    private final Hidden hidden;

    ListCalls(Hidden hidden) {
        this.hidden = hidden;
    }

    /// How one listing writes its keys.
    private static UnaryOperator<String> encoding(S3Call call) {
        String type = call.param("encoding-type");
        if (type.isEmpty()) return text -> text;
        if (type.equals("url")) return text -> Percent.encode(text, true);
        throw S3Errors.refusal("InvalidArgument", "encoding-type is url");
    }

    private ListPage page(S3Call call, ObjectStore store, String after, int max) {
        if (max == 0) {
            store.list(new ListRequest(call.param("prefix"), "", "", 1)).orThrow();
            return new ListPage(List.of(), List.of(), "");
        }
        ListRequest request = new ListRequest(call.param("prefix"), call.param("delimiter"), after, max);
        ListPage page = store.list(request).orThrow();
        return new ListPage(
                hidden.visible(call.bucket(), page.objects(), ObjectInfo::key),
                hidden.visible(call.bucket(), page.commonPrefixes(), prefix -> prefix),
                page.next());
    }

    private static int max(S3Call call) {
        return call.number("max-keys", ListRequest.MAX, 0, ListRequest.MAX);
    }

    void second(S3Call call, ObjectStore store) {
        UnaryOperator<String> encode = encoding(call);
        int max = max(call);
        boolean goesOn = call.has("continuation-token");
        String after = goesOn ? opened(call.param("continuation-token")) : call.param("start-after");
        ListPage page = page(call, store, after, max);
        Xml xml = head("ListBucketResult", call, encode, max, page);
        xml.leaf("KeyCount", page.objects().size() + page.commonPrefixes().size());
        if (goesOn) xml.leaf("ContinuationToken", call.param("continuation-token"));
        if (!page.isLast()) xml.leaf("NextContinuationToken", sealed(page.next()));
        if (call.has("start-after")) xml.leaf("StartAfter", encode.apply(call.param("start-after")));
        boolean owner = call.param("fetch-owner").equals("true");
        page.objects()
                .forEach(object ->
                        contents(xml, object, encode, owner ? call.verified().keyId() : ""));
        call.answer(prefixes(xml, page, encode).close("ListBucketResult"));
    }

    void first(S3Call call, ObjectStore store) {
        UnaryOperator<String> encode = encoding(call);
        int max = max(call);
        ListPage page = page(call, store, call.param("marker"), max);
        Xml xml = head("ListBucketResult", call, encode, max, page);
        xml.leaf("Marker", encode.apply(call.param("marker")));
        if (!page.isLast()) xml.leaf("NextMarker", encode.apply(page.next()));
        page.objects()
                .forEach(object -> contents(xml, object, encode, call.verified().keyId()));
        call.answer(prefixes(xml, page, encode).close("ListBucketResult"));
    }

    void versions(S3Call call, ObjectStore store) {
        UnaryOperator<String> encode = encoding(call);
        int max = max(call);
        ListPage page = page(call, store, call.param("key-marker"), max);
        Xml xml = head("ListVersionsResult", call, encode, max, page);
        xml.leaf("KeyMarker", encode.apply(call.param("key-marker"))).leaf("VersionIdMarker", "");
        if (!page.isLast()) {
            xml.leaf("NextKeyMarker", encode.apply(page.next())).leaf("NextVersionIdMarker", "null");
        }
        for (ObjectInfo object : page.objects()) {
            xml.open("Version").leaf("VersionId", "null").leaf("IsLatest", true);
            describe(xml, object, encode).close("Version");
        }
        call.answer(prefixes(xml, page, encode).close("ListVersionsResult"));
    }

    private static Xml head(String root, S3Call call, UnaryOperator<String> encode, int max, ListPage page) {
        Xml xml = Xml.document(root)
                .leaf("Name", call.bucket())
                .leaf("Prefix", encode.apply(call.param("prefix")))
                .leaf("MaxKeys", max)
                .leaf("IsTruncated", !page.isLast());
        if (call.has("delimiter")) xml.leaf("Delimiter", encode.apply(call.param("delimiter")));
        if (call.has("encoding-type")) xml.leaf("EncodingType", "url");
        return xml;
    }

    private static void contents(Xml xml, ObjectInfo object, UnaryOperator<String> encode, String owner) {
        describe(xml.open("Contents"), object, encode);
        if (!owner.isEmpty()) {
            xml.open("Owner").leaf("ID", owner).leaf("DisplayName", owner).close("Owner");
        }
        xml.close("Contents");
    }

    private static Xml describe(Xml xml, ObjectInfo object, UnaryOperator<String> encode) {
        return xml.leaf("Key", encode.apply(object.key()))
                .leaf("LastModified", Times.iso(object.lastModified()))
                .leaf("ETag", "\"" + object.etag() + "\"")
                .leaf("Size", object.sizeBytes())
                .leaf("StorageClass", "STANDARD");
    }

    private static Xml prefixes(Xml xml, ListPage page, UnaryOperator<String> encode) {
        for (String prefix : page.commonPrefixes()) {
            xml.open("CommonPrefixes").leaf("Prefix", encode.apply(prefix)).close("CommonPrefixes");
        }
        return xml;
    }

    private static String sealed(String next) {
        return Base64.getUrlEncoder().encodeToString(next.getBytes(StandardCharsets.UTF_8));
    }

    private static String opened(String token) {
        try {
            String after = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
            if (!after.isEmpty()) return after;
        } catch (IllegalArgumentException e) {
            throw S3Errors.refusal("InvalidArgument", "The continuation token is not one of this listing");
        }
        throw S3Errors.refusal("InvalidArgument", "The continuation token is not one of this listing");
    }
}
