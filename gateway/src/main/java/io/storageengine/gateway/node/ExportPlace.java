package io.storageengine.gateway.node;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.Buckets;
import io.storageengine.core.store.Content;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.core.store.PutOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Where the file of an export is: a file of this machine, or `s3://bucket/key` in the storage.
record ExportPlace(String text, Buckets buckets) {
    private static final String S3 = "s3://";

    private boolean isObject() {
        return text.startsWith(S3);
    }

    private String bucket() {
        int slash = text.indexOf('/', S3.length());
        if (slash < 0 || slash == S3.length() || slash == text.length() - 1) {
            throw new StartRefused("An export is a file or s3://bucket/key, not '" + text + "'");
        }
        return text.substring(S3.length(), slash);
    }

    private String key() {
        return text.substring(S3.length() + bucket().length() + 1);
    }

    private Path file() {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new StartRefused("An export is a file or s3://bucket/key, not '" + text + "'");
        }
    }

    /// Writes what was not there; else nothing.
    ///
    /// @throws StartRefused when it is there, or cannot be written
    void write(byte[] bytes) {
        if (isObject()) put(bytes);
        else create(bytes);
    }

    private void put(byte[] bytes) {
        Outcome<ObjectInfo> put = buckets.bucket(bucket()).put(key(), Content.of(bytes), PutOptions.IF_ABSENT);
        if (!(put instanceof Outcome.Failed<ObjectInfo>(Failure failure))) return;
        boolean isTaken =
                failure.kind() == Failure.Kind.CONFLICT && !failure.code().equals(ObjectStore.UNDECIDED);
        throw isTaken ? isThere() : new StartRefused(text + " cannot be written: " + failure.message());
    }

    private void create(byte[] bytes) {
        Path file = file();
        try {
            Files.write(file, bytes, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException e) {
            throw isThere();
        } catch (NoSuchFileException e) {
            throw new StartRefused(text + " cannot be written: its folder does not exist");
        } catch (IOException e) {
            throw new StartRefused(text + " cannot be written: " + e.getMessage());
        }
    }

    private StartRefused isThere() {
        return new StartRefused(text + " exists and is not overwritten: name another");
    }

    /// @throws StartRefused when it cannot be read
    byte[] read() {
        return isObject() ? get() : load();
    }

    private byte[] get() {
        return switch (buckets.bucket(bucket()).read(key())) {
            case Outcome.Ok<ByteBuffer>(ByteBuffer content) -> {
                byte[] bytes = new byte[content.remaining()];
                content.duplicate().get(bytes);
                yield bytes;
            }
            case Outcome.Failed<ByteBuffer>(Failure failure) ->
                throw new StartRefused(text + " cannot be read: " + failure.message());
        };
    }

    private byte[] load() {
        try {
            return Files.readAllBytes(file());
        } catch (NoSuchFileException e) {
            throw new StartRefused(text + " does not exist");
        } catch (IOException e) {
            throw new StartRefused(text + " cannot be read: " + e.getMessage());
        }
    }
}
