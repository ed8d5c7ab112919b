package io.storageengine.store.s3;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/// A server that reads the head of a request and then does something wrong.
final class BrokenServer implements AutoCloseable {
    /// What it does after a request's head has come.
    interface Answer {
        void to(Socket client) throws IOException;
    }

    private final ServerSocket socket;
    private volatile Answer answer = client -> {};
    private final AtomicInteger requests = new AtomicInteger();

    private BrokenServer(ServerSocket socket) {
        this.socket = socket;
    }

    static BrokenServer start() throws IOException {
        BrokenServer server = new BrokenServer(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
        Thread.ofVirtual().start(server::serve);
        return server;
    }

    /// Answers with a status and an S3 error document, and closes.
    static Answer error(int status, String code) {
        String body =
                "<?xml version=\"1.0\"?><Error><Code>" + code + "</Code><Message>AKIA-test-secret</Message></Error>";
        return client -> reply(client, status, body.length(), body);
    }

    /// Answers with a head that announces more than the body that follows, and closes.
    static void reply(Socket client, int status, int announced, String body) throws IOException {
        OutputStream out = client.getOutputStream();
        String head = "HTTP/1.1 " + status + " Status\r\nContent-Type: application/xml\r\nETag: \"e\"\r\n"
                + "Content-Length: " + announced + "\r\nConnection: close\r\n\r\n";
        out.write((head + body).getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    private void serve() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                Thread.ofVirtual().start(() -> handle(client));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void handle(Socket client) {
        try (client) {
            readHead(client.getInputStream());
            requests.incrementAndGet();
            answer.to(client);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void readHead(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) throw new IOException("no whole request");
            head.append((char) next);
        }
    }

    /// What to do from now on; counts requests from zero.
    void does(Answer other) {
        answer = other;
        requests.set(0);
    }

    int requests() {
        return requests.get();
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
