package io.storageengine.catalog.secrets;

import java.util.List;
import java.util.Locale;

/// Which properties hold secrets, told by their names. In doubt a property is one: it is only shown less.
public final class SecretNames {
    /// What is shown in a secret's place.
    public static final String MASK = "***";

    private static final List<String> WORDS = List.of(
            "token",
            "credential",
            "secret",
            "password",
            "passwd",
            "passphrase",
            "accesskey",
            "accountkey",
            "sharedkey",
            "apikey",
            "privatekey",
            "encryptionkey",
            "masterkey",
            "ssekey",
            "ssecustomer",
            "sastoken",
            "session",
            "signature",
            "authorization",
            "cookie",
            "keyid",
            "jwt");

    private SecretNames() {}

    /// Whether a property of this name is a secret: a header, or a name with one of the words of credentials in
    /// it, however it is spelled (`s3.access-key-id`, `accessKey`).
    public static boolean isSecret(String name) {
        String plain = name.toLowerCase(Locale.ROOT);
        if (plain.startsWith("header.")) return true;
        String letters = plain.replaceAll("[^a-z0-9]", "");
        return WORDS.stream().anyMatch(letters::contains);
    }
}
