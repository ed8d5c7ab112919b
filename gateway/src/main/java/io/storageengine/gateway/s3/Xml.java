package io.storageengine.gateway.s3;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/// Writes S3's XML: one default namespace, no prefixes, `"` always escaped (some clients search the text).
final class Xml {
    private static final String HEAD = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    private static final String NAMESPACE = " xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"";

    private final StringBuilder out = new StringBuilder(512).append(HEAD);

    /// A document of S3's namespace.
    static Xml document(String root) {
        Xml xml = new Xml();
        xml.out.append('<').append(root).append(NAMESPACE).append('>');
        return xml;
    }

    /// A document without a namespace: errors.
    static Xml plain(String root) {
        return new Xml().open(root);
    }

    Xml open(String tag) {
        out.append('<').append(tag).append('>');
        return this;
    }

    Xml close(String tag) {
        out.append("</").append(tag).append('>');
        return this;
    }

    Xml leaf(String tag, String text) {
        open(tag);
        text.codePoints().forEach(this::escape);
        return close(tag);
    }

    Xml leaf(String tag, long number) {
        return leaf(tag, Long.toString(number));
    }

    Xml leaf(String tag, boolean truth) {
        return leaf(tag, Boolean.toString(truth));
    }

    private void escape(int c) {
        switch (c) {
            case '&' -> out.append("&amp;");
            case '<' -> out.append("&lt;");
            case '>' -> out.append("&gt;");
            case '"' -> out.append("&quot;");
            default -> {
                if (c < 0x20 || c == 0x7f)
                    out.append("&#x").append(Integer.toHexString(c)).append(';');
                else out.appendCodePoint(c);
            }
        }
    }

    Buffer bytes() {
        return Buffer.buffer(out.toString().getBytes(StandardCharsets.UTF_8));
    }
}
