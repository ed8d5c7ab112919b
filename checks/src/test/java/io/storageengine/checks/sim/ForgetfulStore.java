package io.storageengine.checks.sim;

import io.storageengine.core.Outcome;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/// Gives every entry another nonce when it is read, so that no writer knows its own.
final class ForgetfulStore extends SimStore {
    private static final int NONCE = 24;
    private static final int CHECKED = 48;
    private static final int FIXED = 52;

    ForgetfulStore(SimDisk disk, SimProcess process, long retentionMillis) {
        super(disk, process, retentionMillis);
    }

    @Override
    public Outcome<ByteBuffer> read(String key) {
        return super.read(key).map(ForgetfulStore::otherNonce);
    }

    private static ByteBuffer otherNonce(ByteBuffer bytes) {
        ByteBuffer copy = ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
        copy.putLong(NONCE, ~copy.getLong(NONCE));
        CRC32C crc = new CRC32C();
        crc.update(copy.slice(0, CHECKED));
        crc.update(copy.slice(FIXED, copy.getShort(6)));
        return copy.putInt(CHECKED, (int) crc.getValue());
    }
}
