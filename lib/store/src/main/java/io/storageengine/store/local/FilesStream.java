package io.storageengine.store.local;

import io.storageengine.store.Span;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The bodies of object files one after the other, one open at a time.
final class FilesStream extends InputStream {
    private final Iterator<Path> files;
    private @Nullable BodyStream open;

    FilesStream(List<Path> files) {
        this.files = files.iterator();
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, target.length);
        if (count == 0) return 0;
        while (true) {
            int got = open == null ? -1 : open.read(target, offset, count);
            if (got >= 0) return got;
            if (!files.hasNext()) return -1;
            close();
            open = body(files.next());
        }
    }

    private static BodyStream body(Path path) throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        try {
            ObjectFile file = ObjectFile.read(channel);
            return new BodyStream(channel, file, new Span(0, file.info().sizeBytes()));
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        if (open != null) open.close();
    }
}
