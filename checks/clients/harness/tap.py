"""A TCP relay that keeps the first line of every HTTP/1.1 request that passes: what a client really asked for."""
import re
import socket
import threading

LINE = re.compile(rb"(?:^|\r\n|[}\n])((?:GET|PUT|POST|HEAD|DELETE) [^ \r\n]+) HTTP/1\.1\r\n")


class Tap:
    def __init__(self, port):
        self.target, self.requests, self.kept = ("127.0.0.1", port), [], threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                near = self.listener.accept()[0]
            except OSError:
                return
            far = socket.create_connection(self.target)
            threading.Thread(target=self.copy, args=(near, far, True), daemon=True).start()
            threading.Thread(target=self.copy, args=(far, near, False), daemon=True).start()

    def copy(self, source, sink, notes):
        seen = b""
        try:
            while piece := source.recv(1 << 16):
                if notes:
                    seen = self.note(seen + piece)
                sink.sendall(piece)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            source.close()
            sink.close()

    def note(self, seen):
        """Keeps the requests in these bytes; returns what may be the beginning of another."""
        end = 0
        for match in LINE.finditer(seen):
            with self.kept:
                self.requests.append(match.group(1).decode())
            end = match.end()
        return seen[max(end, len(seen) - 4096):]

    def count(self, method, ending):
        """How many requests there were with that method, their path ending so."""
        with self.kept:
            return sum(line.startswith(method + " ") and line.split(" ")[1].split("?")[0].endswith(ending) for line in self.requests)

    def close(self):
        self.listener.close()
