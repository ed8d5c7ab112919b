package io.storageengine.ingest.session;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.storageengine.ingest.rows.RowFault;
import io.storageengine.ingest.rows.RowFaults;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/// The answer's JSON: `{"accepted":n,"rejected-count":m,"rejected":[{"row","field","code","reason"}…]}`; its
/// token comes after it.
final class RowsAnswer {
    private static final ObjectMapper JSON = new ObjectMapper();

    private RowsAnswer() {}

    static String json(long accepted, RowFaults faults) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(text)) {
            out.writeStartObject();
            out.writeNumberField("accepted", accepted);
            out.writeNumberField("rejected-count", faults.rows());
            out.writeArrayFieldStart("rejected");
            for (RowFault fault : faults.first()) {
                out.writeStartObject();
                out.writeNumberField("row", fault.row());
                out.writeStringField("field", fault.field());
                out.writeStringField("code", fault.code());
                out.writeStringField("reason", fault.reason());
                out.writeEndObject();
            }
            out.writeEndArray();
            out.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString();
    }
}
