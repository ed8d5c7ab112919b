package io.storageengine.store;

import java.util.regex.Pattern;

/// The names that S3 allows for a bucket.
public final class BucketNames {
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");
    private static final Pattern ADDRESS = Pattern.compile("[0-9]+\\.[0-9]+\\.[0-9]+\\.[0-9]+");

    private BucketNames() {}

    public static boolean isValid(String name) {
        return NAME.matcher(name).matches()
                && !name.contains("..")
                && !ADDRESS.matcher(name).matches();
    }
}
