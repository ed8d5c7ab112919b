package io.storageengine.bus;

import io.storageengine.core.message.Question;
import java.util.Locale;

/// Where a question goes.
final class Addresses {
    private Addresses() {}

    /// The address of a room: every instance of it listens there.
    static String of(Question.Room room) {
        return "se." + room.name().toLowerCase(Locale.ROOT);
    }
}
