package io.storageengine.store.s3;

import io.storageengine.core.Clock;
import io.storageengine.store.SystemClock;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/// A `moto_server` process of its own, on a free port. Where it cannot be installed the tests that need it are
/// skipped, and say so.
final class MotoServer implements AutoCloseable {
    private static final long INSTALL_SECONDS_MAX = 300;
    private static final long START_MILLIS_MAX = 60_000;
    private final Process process;
    private final int port;

    private MotoServer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static MotoServer start() throws IOException, InterruptedException {
        String program = install();
        int port = freePort();
        Process process = new ProcessBuilder(List.of(program, "-H", "127.0.0.1", "-p", Integer.toString(port)))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        MotoServer server = new MotoServer(process, port);
        server.await();
        return server;
    }

    private static String install() throws IOException, InterruptedException {
        Path log = Files.createTempFile("moto-install", ".log");
        Process install = new ProcessBuilder(List.of(script().toString()))
                .redirectError(log.toFile())
                .start();
        String program = new String(install.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        boolean isDone = install.waitFor(INSTALL_SECONDS_MAX, TimeUnit.SECONDS) && install.exitValue() == 0;
        String said = Files.readString(log);
        Files.delete(log);
        if (!isDone) {
            System.err.println("SKIPPED: the S3 contract, as moto_server cannot be installed here: " + said);
            Assumptions.abort("moto_server cannot be installed here: " + said);
        }
        return program;
    }

    private static Path script() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path script = at.resolve("checks" + File.separator + "servers" + File.separator + "moto");
            if (Files.exists(script)) return script;
        }
        throw new IllegalStateException("checks/servers/moto is not above the working directory");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private void await() throws InterruptedException {
        Clock clock = new SystemClock();
        long end = clock.wallMillis() + START_MILLIS_MAX;
        while (!answers()) {
            if (!process.isAlive() || clock.wallMillis() > end) throw new IllegalStateException("moto does not start");
            clock.sleep(50);
        }
    }

    private boolean answers() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + port);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
