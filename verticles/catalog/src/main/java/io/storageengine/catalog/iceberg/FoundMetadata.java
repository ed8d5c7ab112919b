package io.storageengine.catalog.iceberg;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.storageengine.core.FailureException;
import io.storageengine.core.store.Buckets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadata.MetadataLogEntry;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.view.ViewMetadata;
import org.apache.iceberg.view.ViewMetadataParser;

/// A metadata file that was found in storage: what it says of its table or view, for those who have nothing
/// else.
///
/// @param file where it is
/// @param isView whether it is a view's
/// @param uuid of the table or view
/// @param location of the table or view
/// @param updatedMillis when it was last changed, by the clock of who did it
/// @param sequence the table's last sequence number; 0 for a view
/// @param ancestors the metadata files that it names as those before it
public record FoundMetadata(
        String file,
        boolean isView,
        UUID uuid,
        String location,
        long updatedMillis,
        long sequence,
        List<String> ancestors) {
    /// The newest last: by the version in the file's name, then by time, then by sequence number.
    public static final Comparator<FoundMetadata> BY_AGE = Comparator.comparingInt(FoundMetadata::version)
            .thenComparingLong(FoundMetadata::updatedMillis)
            .thenComparingLong(FoundMetadata::sequence)
            .thenComparing(FoundMetadata::file);

    private static final ObjectMapper JSON = new ObjectMapper();

    public FoundMetadata {
        ancestors = List.copyOf(ancestors);
    }

    /// The version in the file's name; -1 when there is none.
    public int version() {
        return TablePaths.version(file);
    }

    /// Reads a file. One GET.
    ///
    /// @throws FailureException `CORRUPT` when it is no metadata file, `NOT_FOUND`, or what the store answered
    public static FoundMetadata read(Buckets buckets, String file) {
        byte[] json = new MetadataObjects(buckets).read(file);
        try {
            String text = new String(json, StandardCharsets.UTF_8);
            JsonNode head = JSON.readTree(json);
            return head.has("view-uuid") ? view(file, text) : table(file, text);
        } catch (IOException | RuntimeException e) {
            throw MetadataObjects.corrupt(file, e);
        }
    }

    private static FoundMetadata table(String file, String text) {
        TableMetadata metadata = TableMetadataParser.fromJson(file, text);
        List<String> before =
                metadata.previousFiles().stream().map(MetadataLogEntry::file).toList();
        return new FoundMetadata(
                file,
                false,
                UUID.fromString(metadata.uuid()),
                metadata.location(),
                metadata.lastUpdatedMillis(),
                metadata.lastSequenceNumber(),
                before);
    }

    private static FoundMetadata view(String file, String text) {
        ViewMetadata metadata = ViewMetadataParser.fromJson(file, text);
        metadata.currentSchemaId();
        return new FoundMetadata(
                file,
                true,
                UUID.fromString(metadata.uuid()),
                metadata.location(),
                metadata.currentVersion().timestampMillis(),
                0,
                List.of());
    }
}
