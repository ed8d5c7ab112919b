package io.storageengine.ingest.encode;

import java.io.IOException;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;

/// Iceberg's output file, for Parquet.
record ParquetOutput(org.apache.iceberg.io.OutputFile file) implements OutputFile {
    @Override
    public PositionOutputStream create(long blockSizeHint) {
        return new Stream(file.create());
    }

    @Override
    public PositionOutputStream createOrOverwrite(long blockSizeHint) {
        return create(blockSizeHint);
    }

    @Override
    public boolean supportsBlockSize() {
        return false;
    }

    @Override
    public long defaultBlockSize() {
        return 0;
    }

    @Override
    public String getPath() {
        return file.location();
    }

    private static final class Stream extends PositionOutputStream {
        private final org.apache.iceberg.io.PositionOutputStream out;

        Stream(org.apache.iceberg.io.PositionOutputStream out) {
            this.out = out;
        }

        @Override
        public long getPos() throws IOException {
            return out.getPos();
        }

        @Override
        public void write(int b) throws IOException {
            out.write(b);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            out.write(bytes, from, length);
        }

        @Override
        public void flush() throws IOException {
            out.flush();
        }

        @Override
        public void close() throws IOException {
            out.close();
        }
    }
}
