package io.storageengine.gateway.s3;

import io.storageengine.core.store.UploadedPart;
import java.io.ByteArrayInputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/// Reads the XML bodies of requests. No document types, no external entities.
final class XmlRequests {
    private static final int DELETIONS_MAX = 1_000;
    private static final int PARTS_MAX = 10_000;
    private static final XMLInputFactory FACTORY = factory();

    private XmlRequests() {}

    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        return factory;
    }

    /// One object to delete.
    record Doomed(String key, String versionId) {}

    /// The body of DeleteObjects.
    record Deletion(boolean quiet, List<Doomed> objects) {
        Deletion {
            objects = List.copyOf(objects);
        }
    }

    static Deletion deletion(byte[] xml) {
        Items items = items(xml, "Delete", "Object", DELETIONS_MAX);
        List<Doomed> objects = new ArrayList<>();
        for (Map<String, String> item : items.items()) {
            if (item.getOrDefault("Key", "").isEmpty()) throw malformed();
            objects.add(new Doomed(item.getOrDefault("Key", ""), item.getOrDefault("VersionId", "")));
        }
        return new Deletion(
                items.single().getOrDefault("Quiet", "false").strip().equals("true"), objects);
    }

    /// The body of CompleteMultipartUpload.
    static List<UploadedPart> parts(byte[] xml) {
        List<UploadedPart> parts = new ArrayList<>();
        for (Map<String, String> item :
                items(xml, "CompleteMultipartUpload", "Part", PARTS_MAX).items()) {
            String number = item.getOrDefault("PartNumber", "").strip();
            String etag = Conditions.bare(item.getOrDefault("ETag", ""));
            if (!number.matches("[0-9]{1,5}") || etag.isEmpty()) throw malformed();
            int value = Integer.parseInt(number);
            if (value < 1 || value > PARTS_MAX) throw S3Errors.refusal("InvalidArgument", "Parts are 1 to 10,000");
            parts.add(new UploadedPart(value, etag, 0, Instant.EPOCH));
        }
        return parts;
    }

    /// A list of flat items and the single values beside it.
    private record Items(Map<String, String> single, List<Map<String, String>> items) {}

    private static Items items(byte[] xml, String root, String element, int max) {
        Map<String, String> single = new HashMap<>();
        List<Map<String, String>> items = new ArrayList<>();
        try {
            XMLStreamReader reader = FACTORY.createXMLStreamReader(new ByteArrayInputStream(xml));
            reader.nextTag();
            if (!reader.getLocalName().equals(root)) throw malformed();
            while (reader.nextTag() == XMLStreamConstants.START_ELEMENT) {
                if (!reader.getLocalName().equals(element)) single.put(reader.getLocalName(), reader.getElementText());
                else items.add(item(reader));
            }
            while (reader.hasNext()) reader.next();
        } catch (XMLStreamException e) {
            throw malformed();
        }
        if (items.isEmpty() || items.size() > max) throw malformed();
        return new Items(single, items);
    }

    private static Map<String, String> item(XMLStreamReader reader) throws XMLStreamException {
        Map<String, String> item = new HashMap<>();
        while (reader.nextTag() == XMLStreamConstants.START_ELEMENT) {
            item.put(reader.getLocalName(), reader.getElementText());
        }
        return item;
    }

    private static RuntimeException malformed() {
        return S3Errors.refusal("MalformedXML", "The body is not the XML that this operation takes");
    }
}
