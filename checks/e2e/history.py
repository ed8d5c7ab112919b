"""The history of a catalog, its events across a kill -9, a table that is dropped and comes back, and the catalog set back to an entry, read by PyIceberg."""
import http.client
import json
import sys
import threading

from harness import http as plain, places, process
from harness.report import Report, same
from harness.server import Server

NDJSON = {"Content-Type": "application/x-ndjson"}


class Follower(threading.Thread):
    """Follows a catalog's events as a browser would: comes again after the last one when the stream breaks."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server, self.last, self.entries, self.streams, self.over = server, 0, [], 0, threading.Event()

    def run(self):
        while not self.over.is_set():
            try:
                self.follow()
            except OSError:
                pass
            self.over.wait(0.2)

    def follow(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        connection.request("GET", "/catalogs/dev/events", headers={"Last-Event-ID": str(self.last)})
        answer = connection.getresponse()
        if answer.status != 200:
            return
        self.streams += 1
        number = None
        while line := answer.readline().decode():
            if line.startswith("id: "):
                number = int(line[4:])
            elif line.startswith("data: "):
                self.entries.append(json.loads(line[6:]))
                self.last = number


def rows(server, first, count):
    body = b"".join(b'{"id":%d}\n' % number for number in range(first, first + count))
    return plain.expect(200, "POST", server.rows("dev", "demo", "kept", create="true", ack="committed"), body, NDJSON)


def history(server, size, **query):
    """All entries, page by page."""
    entries, token = [], ""
    words = "".join(f"&{key}={value}" for key, value in query.items())
    while True:
        page = plain.expect(200, "GET", f"{server.catalog()}/history?pageSize={size}&pageToken={token}{words}")
        entries += page["entries"]
        token = page.get("next-page-token")
        if not token:
            return entries


def operations(entries):
    return [change["operation"] for entry in entries for change in entry["changes"]]


def work(server, from_id):
    table = f"{server.catalog()}/v1/namespaces/demo/tables/kept"
    rows(server, from_id, 100)
    plain.expect(200, "POST", table, {"requirements": [], "updates": [{"action": "set-properties", "updates": {"at": str(from_id)}}]})


def ids(server):
    from pyiceberg.catalog.rest import RestCatalog
    return sorted(RestCatalog("dev", uri=server.catalog()).load_table(("demo", "kept")).scan().to_arrow().column("id").to_pylist())


def check_all(report, server):
    follower = Follower(server)
    follower.start()
    with report.check("what was done is told in order, in pages, forwards and backwards"):
        work(server, 0)
        onwards = history(server, 2, **{"from": 1})
        same(operations(onwards), ["create-namespace", "create-table", "update-table", "update-table"], "operations")
        same(history(server, 3), onwards[::-1], "the same backwards")
    with report.check("events go on across a kill -9: every entry once, in order"):
        server.child.kill()
        server.start()
        work(server, 100)
        wanted = history(server, 100, **{"from": 1})
        process.wait_until("the events", lambda: len(follower.entries) >= len(wanted), 30)
        same(follower.entries, wanted, "events")
        assert follower.streams >= 2, f"{follower.streams} stream: it did not break"
    with report.check("a dropped table comes back whole, takes no row twice, and goes on"):
        table = f"{server.catalog()}/v1/namespaces/demo/tables/kept"
        key = {**NDJSON, "Idempotency-Key": "the-same-rows"}
        url = server.rows("dev", "demo", "kept", ack="committed")
        answer = plain.expect(200, "POST", url, b'{"id":200}\n', key)
        before = plain.expect(200, "GET", table)["metadata"]
        plain.expect(204, "DELETE", table)
        plain.expect(404, "GET", table)
        plain.expect(204, "POST", f"{server.catalog()}/restore", {"namespace": ["demo"], "name": "kept"})
        same(plain.expect(200, "GET", table)["metadata"], before, "metadata")
        same(plain.expect(200, "POST", url, b'{"id":200}\n', key), answer, "the repeat of a request from before the drop")
        rows(server, 201, 9)
        same(ids(server), list(range(210)), "ids that PyIceberg reads")
        same(operations(history(server, 100))[1:3], ["create-table", "drop-table"], "the last operations but one")
    with report.check("the catalog goes back to an entry, and takes no row twice, after a kill -9 either"):
        then = history(server, 1000, **{"from": 1})[-1]["entry"]
        answer = plain.expect(200, "POST", url, b'{"id":210}\n', {**key, "Idempotency-Key": "rolled-back"})
        plain.expect(200, "POST", f"{server.catalog()}/v1/namespaces", {"namespace": ["late"]})
        plain.expect(204, "POST", f"{server.catalog()}/restore", {"as-of-entry": then})
        plain.expect(404, "GET", f"{server.catalog()}/v1/namespaces/late")
        same(ids(server), list(range(210)), "ids after the restore")
        server.child.kill()
        server.start()
        same(plain.expect(200, "POST", url, b'{"id":210}\n', {**key, "Idempotency-Key": "rolled-back"}), answer, "the repeat")
        same(ids(server), list(range(210)), "ids after a kill")
        rows(server, 210, 5)
        same(ids(server), list(range(215)), "ids with new rows")
        plain.expect(400, "POST", f"{server.catalog()}/restore", {"as-of-entry": 10 ** 6})
    with report.check("what was purged does not come back"):
        plain.expect(204, "DELETE", f"{table}?purgeRequested=true")
        plain.expect(404, "POST", f"{server.catalog()}/restore", {"namespace": ["demo"], "name": "kept"})
    follower.over.set()
    with report.check("a stop ends the streams"):
        assert server.stop() in (0, 143), f"exit code {server.child.process.returncode}"
        follower.join(10)
        assert not follower.is_alive(), "the follower still waits"


def main():
    process.limit(600)
    report, folder = Report("history"), places.scratch("history")
    with Server(folder, ["--ingest.commit-interval-ms", "200"]) as server:
        with report.logs_of(server):
            check_all(report, server)
    return report.finish(folder)


if __name__ == "__main__":
    sys.exit(main())
