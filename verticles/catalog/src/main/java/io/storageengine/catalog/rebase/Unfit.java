package io.storageengine.catalog.rebase;

import java.io.Serial;

/// Says that a commit is not to be put on the head, and why: the refusal that it already had stands.
final class Unfit extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    Unfit(String why) {
        super(why);
    }

    static void unless(boolean holds, String why) {
        if (!holds) throw new Unfit(why);
    }
}
