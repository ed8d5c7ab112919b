package io.storageengine.catalog.plan;

import io.storageengine.catalog.iceberg.IcebergJson;
import io.storageengine.core.FailureException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Objects;
import java.util.Optional;
import java.util.zip.CRC32C;

/// A part of a scan, as text that clients hand back: whoever has the table can answer for it, in whatever
/// process and however much later, as long as the snapshot is there.
///
/// It is no secret and no right: it asks for nothing that a plan request could not ask for, and is checked
/// against the table in the request's path. The checksum tells garbage.
///
/// @param from the first of the snapshot's data manifests, in the order of its list
/// @param to after the last; [#END] for all
/// @param skip files of these manifests that were answered before; more than 0 says that the manifests are
///     answered as one
record PlanToken(Scanned scan, int from, int to, int skip) {
    static final int END = Integer.MAX_VALUE;
    private static final int CHECK_BYTES = 4;

    PlanToken {
        Objects.requireNonNull(scan);
        if (from < 0 || to < from || skip < 0) throw new IllegalArgumentException("no part of a scan");
    }

    String text() {
        byte[] json = IcebergJson.write(this);
        ByteBuffer bytes = ByteBuffer.allocate(CHECK_BYTES + json.length);
        bytes.putInt(check(json)).put(json);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    /// The part that a text means; empty when it was not made by [#text].
    static Optional<PlanToken> parse(String text) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
            if (bytes.remaining() <= CHECK_BYTES) return Optional.empty();
            int check = bytes.getInt();
            byte[] json = new byte[bytes.remaining()];
            bytes.get(json);
            if (check != check(json)) return Optional.empty();
            return Optional.of(IcebergJson.read(ByteBuffer.wrap(json), PlanToken.class));
        } catch (IllegalArgumentException | FailureException e) {
            return Optional.empty();
        }
    }

    private static int check(byte[] json) {
        CRC32C sum = new CRC32C();
        sum.update(json);
        return (int) sum.getValue();
    }
}
