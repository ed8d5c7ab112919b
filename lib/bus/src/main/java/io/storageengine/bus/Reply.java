package io.storageengine.bus;

import io.storageengine.core.Outcome;
import io.storageengine.core.message.Answer;

/// What travels back over the bus: failures are values, since the bus's own failure reply drops its cause.
record Reply(Outcome<? extends Answer> outcome) {}
