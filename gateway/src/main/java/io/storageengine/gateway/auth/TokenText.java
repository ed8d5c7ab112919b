package io.storageengine.gateway.auth;

import java.util.HexFormat;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A token as its owner has it: `se_<id>_<secret>`, id 16 and secret 64 digits in hex (256 random bits).
///
/// @param id public: names the stored token
/// @param secret never kept, never logged
public record TokenText(String id, String secret) {
    private static final int ID_BYTES = 8;
    private static final int SECRET_BYTES = 32;
    private static final Pattern FORM = Pattern.compile("se_([0-9a-f]{16})_([0-9a-f]{64})");
    private static final Pattern ID = Pattern.compile("[0-9a-f]{16}");

    /// @param random fit for secrets
    static TokenText fresh(RandomGenerator random) {
        return new TokenText(hex(random, ID_BYTES), hex(random, SECRET_BYTES));
    }

    private static String hex(RandomGenerator random, int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /// Empty for whatever is no token of ours: it is not worth a look into the storage.
    static Optional<TokenText> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        return matcher.matches() ? Optional.of(new TokenText(matcher.group(1), matcher.group(2))) : Optional.empty();
    }

    static boolean isId(String text) {
        return ID.matcher(text).matches();
    }

    /// What the owner sends.
    public String text() {
        return "se_" + id + "_" + secret;
    }

    @Override
    public String toString() {
        return "TokenText[" + id + "]";
    }
}
