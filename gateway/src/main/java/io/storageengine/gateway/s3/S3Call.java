package io.storageengine.gateway.s3;

import io.storageengine.gateway.auth.SigV4;
import io.storageengine.gateway.door.Exchange;
import io.storageengine.gateway.door.Reply;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;

/// One authenticated request of the S3 API.
///
/// @param query parameters, decoded; of several with one name the first
record S3Call(Exchange exchange, String bucket, String key, Map<String, String> query, SigV4.Verified verified) {
    S3Call {
        query = Map.copyOf(query);
    }

    String method() {
        return exchange.method();
    }

    /// A header; empty when it is not there.
    String header(String name) {
        return exchange.headers().getOrDefault(name, "");
    }

    boolean has(String parameter) {
        return query.containsKey(parameter);
    }

    String param(String name) {
        return query.getOrDefault(name, "");
    }

    /// A number in the query.
    int number(String name, int standard, int min, int max) {
        String text = param(name);
        if (text.isEmpty()) return standard;
        try {
            int value = Integer.parseInt(text);
            if (value >= min) return Math.min(value, max);
        } catch (NumberFormatException e) {
            throw S3Errors.refusal("InvalidArgument", name + " is a number");
        }
        throw S3Errors.refusal("InvalidArgument", name + " is at least " + min);
    }

    void answer(int status, Map<String, String> headers) {
        exchange.answer(new Reply(status, withId(headers), Buffer.buffer()));
    }

    void answer(Xml xml) {
        answer(200, xml, Map.of());
    }

    void answer(int status, Xml xml, Map<String, String> headers) {
        Map<String, String> all = new HashMap<>(headers);
        all.put("content-type", "application/xml");
        exchange.answer(new Reply(status, withId(all), xml.bytes()));
    }

    void answer(int status, Map<String, String> headers, long length, InputStream body) throws IOException {
        exchange.answer(status, withId(headers), length, body);
    }

    private Map<String, String> withId(Map<String, String> headers) {
        Map<String, String> all = new HashMap<>(headers);
        all.put("x-amz-request-id", exchange.id());
        return all;
    }
}
