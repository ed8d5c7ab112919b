package io.storageengine.gateway.node;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/// The key that encrypts everything secret in cluster storage: 32 bytes, kept outside of it.
final class SecretsKey {
    private static final int BYTES = 32;

    private final byte[] bytes;

    private SecretsKey(byte[] bytes) {
        this.bytes = bytes;
    }

    byte[] bytes() {
        return bytes.clone();
    }

    /// @throws StartRefused when there is none, or none of 32 bytes
    static SecretsKey load(Settings settings, RandomGenerator random) {
        Settings.Secrets secrets = settings.secrets();
        if (!secrets.key().isEmpty()) return parse(secrets.key(), "SE_SECRETS_KEY");
        if (secrets.keyFile().isPresent()) return read(secrets.keyFile().get());
        return switch (settings.storage()) {
            case Settings.LocalStorage(Path folder) -> readOrMake(folder.resolve("secrets.key"), random);
            case Settings.S3Storage s3 ->
                throw new StartRefused(
                        "Secrets need a key of 32 bytes: write one with 'openssl rand -hex 32' into a"
                                + " file for --secrets.key-file, or set SE_SECRETS_KEY to it; keep it, and give it to every node");
        };
    }

    private static SecretsKey readOrMake(Path file, RandomGenerator random) {
        byte[] fresh = new byte[BYTES];
        random.nextBytes(fresh);
        String text = HexFormat.of().formatHex(fresh) + "\n";
        var permissions = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        try (var channel = Files.newByteChannel(
                file, java.util.Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), permissions)) {
            channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
            return new SecretsKey(fresh);
        } catch (FileAlreadyExistsException e) {
            return read(file);
        } catch (IOException e) {
            throw new StartRefused("The secrets key cannot be written to " + file + ": " + e.getMessage());
        }
    }

    private static SecretsKey read(Path file) {
        try {
            return parse(Files.readString(file, StandardCharsets.US_ASCII), file.toString());
        } catch (IOException e) {
            throw new StartRefused("The secrets key cannot be read from " + file + ": " + e.getMessage());
        }
    }

    private static SecretsKey parse(String text, String source) {
        String stripped = text.strip();
        try {
            byte[] bytes = stripped.length() == 2 * BYTES
                    ? HexFormat.of().parseHex(stripped)
                    : Base64.getDecoder().decode(stripped);
            if (bytes.length == BYTES) return new SecretsKey(bytes);
        } catch (IllegalArgumentException e) {
            throw notAKey(source);
        }
        throw notAKey(source);
    }

    private static StartRefused notAKey(String source) {
        return new StartRefused("The secrets key in " + source + " is not 32 bytes in hex or base64: make one with"
                + " 'openssl rand -hex 32'");
    }
}
