package io.storageengine.checks.sim;

/// The simulated end of a process: unwinds its thread from within a port call.
final class Crash extends Error {
    private static final long serialVersionUID = 1L;

    Crash() {
        super("simulated crash", null, false, false);
    }
}
