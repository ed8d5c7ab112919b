package io.storageengine.ingest.encode;

import java.io.IOException;
import org.apache.parquet.io.DelegatingSeekableInputStream;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;

/// Iceberg's input file, for Parquet.
record ParquetInput(org.apache.iceberg.io.InputFile file) implements InputFile {
    @Override
    public long getLength() {
        return file.getLength();
    }

    @Override
    public SeekableInputStream newStream() {
        org.apache.iceberg.io.SeekableInputStream in = file.newStream();
        return new DelegatingSeekableInputStream(in) {
            @Override
            public long getPos() throws IOException {
                return in.getPos();
            }

            @Override
            public void seek(long position) throws IOException {
                in.seek(position);
            }
        };
    }
}
