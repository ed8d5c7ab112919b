package io.storageengine.gateway.node;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;

/// Waits for SIGTERM or SIGINT in place of the JVM's own shutdown. A shutdown hook would be the usual way,
/// but all hooks run at once, and a library's (Iceberg closes its thread pools in one) would take away what
/// the last commits need.
///
/// The JDK has signals only in `sun.misc`, whose use is a warning that nothing can silence: hence by
/// reflection.
final class StopSignal {
    private StopSignal() {}

    /// Blocks until the process is told to stop; further signals change nothing.
    static void await() throws InterruptedException {
        CountDownLatch told = new CountDownLatch(1);
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object ours =
                    Proxy.newProxyInstance(StopSignal.class.getClassLoader(), new Class<?>[] {handler}, tells(told));
            for (String name : new String[] {"TERM", "INT"}) {
                Object number = signal.getConstructor(String.class).newInstance(name);
                signal.getMethod("handle", signal, handler).invoke(null, number, ours);
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JVM has no signals", e);
        }
        told.await();
    }

    /// `handle` is the only method that the JDK calls.
    private static InvocationHandler tells(CountDownLatch told) {
        return (proxy, method, arguments) -> {
            if (!method.getName().equals("handle")) throw new UnsupportedOperationException(method.getName());
            told.countDown();
            return null;
        };
    }
}
