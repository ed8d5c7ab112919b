package io.storageengine.iceberg;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.ContentFileParser;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.apache.iceberg.rest.requests.UpdateTableRequestParser;
import org.apache.iceberg.util.JsonUtil;

/// Iceberg's JSON forms as the messages between rooms carry them.
public final class TableJson {
    private TableJson() {}

    /// Table metadata from its file's JSON.
    ///
    /// @throws FailureException `CORRUPT` when it is no table metadata
    public static TableMetadata metadata(String location, ByteBuffer json) {
        try {
            return TableMetadataParser.fromJson(location, JsonUtil.mapper().readTree(bytes(json)));
        } catch (IOException | RuntimeException broken) {
            throw new FailureException(
                    Failure.Kind.CORRUPT, "The table's metadata cannot be read: " + location + ": " + broken);
        }
    }

    /// A table change in the form of the REST API's `CommitTableRequest`.
    public static ByteBuffer update(UpdateTableRequest request) {
        return ByteBuffer.wrap(UpdateTableRequestParser.toJson(request).getBytes(StandardCharsets.UTF_8));
    }

    /// A data file; its partition and metrics are in it.
    public static String dataFile(DataFile file, PartitionSpec spec) {
        return ContentFileParser.toJson(file, spec);
    }

    /// A data file from its JSON.
    ///
    /// @param specs the table's partition specs by id
    /// @throws FailureException `INVALID` when it is none, or of a spec that the table does not have
    public static DataFile dataFile(String json, Map<Integer, PartitionSpec> specs) {
        try {
            ContentFile<?> file = ContentFileParser.fromJson(JsonUtil.mapper().readTree(json), specs);
            if (file instanceof DataFile data) return data;
            throw new FailureException(Failure.Kind.INVALID, "Not a data file: " + file.location());
        } catch (JsonProcessingException | IllegalArgumentException | NullPointerException broken) {
            throw new FailureException(Failure.Kind.INVALID, "Not a data file's JSON: " + broken.getMessage());
        }
    }

    private static byte[] bytes(ByteBuffer json) {
        byte[] bytes = new byte[json.remaining()];
        json.duplicate().get(bytes);
        return bytes;
    }
}
