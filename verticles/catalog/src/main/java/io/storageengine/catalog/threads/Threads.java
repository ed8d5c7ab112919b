package io.storageengine.catalog.threads;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Threads as a port: one for each piece of work in production; in a simulation the caller does it all, one
/// piece after the other.
public interface Threads {
    /// A virtual thread for each piece of work.
    Threads VIRTUAL = new Threads() {
        @Override
        public void start(String name, Runnable work) {
            Thread.ofVirtual().name(name).start(work);
        }

        @Override
        public ExecutorService together() {
            return Executors.newVirtualThreadPerTaskExecutor();
        }
    };

    /// Begins work that nobody waits for.
    void start(String name, Runnable work);

    /// For pieces of work that are to be done at the same time; closing it waits for them.
    ExecutorService together();
}
