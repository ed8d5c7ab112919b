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
        return json(accepted, faults, out -> {});
    }

    /// Of rows in a channel: also `"repeated"`, how many came before, and `"durable"`, the offset that comes
    /// next.
    static String json(long accepted, RowFaults faults, long repeated, long durable) {
        return json(accepted, faults, out -> {
            out.writeNumberField("repeated", repeated);
            out.writeNumberField("durable", durable);
        });
    }

    private interface Part {
        void write(JsonGenerator out) throws IOException;
    }

    private static String json(long accepted, RowFaults faults, Part part) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(text)) {
            out.writeStartObject();
            out.writeNumberField("accepted", accepted);
            part.write(out);
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
