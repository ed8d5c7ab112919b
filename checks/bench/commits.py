"""Commits per second: 1, 4 and 16 writers, each on a table of its own and all on one table, beside the reference REST server.

Every commit appends a snapshot to `main` under `assert-ref-snapshot-id`, as engines do; a writer that lost a race loads the table
and tries again. The reference keeps its pointers in SQLite and its files on the local disk, ours are on the local disk too.
Then ours alone behind a store that answers CHECKS_COMMITS_DELAY_MILLIS (30) later.
Environment: CHECKS_COMMITS_SECONDS (5, of each run), CHECKS_COMMITS_RATIO (least ratio to the reference with 16 tables; 3),
CHECKS_COMMITS_DELAYED (least commits/s with 16 tables behind the slow store; 100), CHECKS_COMMITS_ROUNDS (least commits/s of a lone
writer behind it, of half the PUTs/s of a lone client; 0.72).
"""
import http.client
import json
import os
import random
import statistics
import sys
import threading
import time
import urllib.parse

from harness import delay, http as plain, moto, places, process, upstream
from harness.report import Report
from harness.server import ServeServer, Server, secrets_key

SECONDS = float(os.environ.get("CHECKS_COMMITS_SECONDS", "5"))
RATIO = float(os.environ.get("CHECKS_COMMITS_RATIO", "3"))
DELAYED = float(os.environ.get("CHECKS_COMMITS_DELAYED", "100"))
DELAY_MILLIS = int(os.environ.get("CHECKS_COMMITS_DELAY_MILLIS", "30"))
OF_PUTS = 0.7
# Three rounds would be 0.67 at most, on a machine that takes no time of its own.
OF_ROUNDS = float(os.environ.get("CHECKS_COMMITS_ROUNDS", "0.72"))
WRITERS = [1, 4, 16]
SCHEMA = {"type": "struct", "fields": [{"id": 1, "name": "id", "type": "long", "required": False}]}
SUMMARY = {"operation": "append", "added-data-files": "1", "added-records": "1", "total-records": "1", "total-data-files": "1"}


class Client:
    """One connection that is kept."""

    def __init__(self, base):
        parts = urllib.parse.urlsplit(base)
        self.connection, self.path = http.client.HTTPConnection(parts.hostname, parts.port, timeout=60), parts.path

    def call(self, method, path, body=None):
        headers = {"Content-Type": "application/json"} if body is not None else {}
        self.connection.request(method, self.path + path, json.dumps(body) if body is not None else None, headers)
        answer = self.connection.getresponse()
        content = answer.read()
        return answer.status, json.loads(content) if content else None


class Writer(threading.Thread):
    def __init__(self, base, table, seed, end):
        super().__init__(daemon=True)
        self.client, self.path, self.end = Client(base), f"/v1/namespaces/bench/tables/{table}", end
        self.rng = random.Random(seed)
        self.done = self.attempts = 0
        self.millis, self.faults = [], []

    def run(self):
        metadata = self.client.call("GET", self.path)[1]["metadata"]
        while time.monotonic() < self.end and not self.faults:
            start = time.monotonic()
            self.attempts += 1
            status, answer = self.client.call("POST", self.path, commit(metadata, self.rng))
            if status == 200:
                self.done += 1
                self.millis.append((time.monotonic() - start) * 1000)
                metadata = answer["metadata"]
            elif status == 409:
                metadata = self.client.call("GET", self.path)[1]["metadata"]
            else:
                self.faults.append(f"{status} {answer}")


def commit(metadata, rng):
    """A fast append on what the writer saw last. Nobody reads its manifest list, so there is none."""
    current = metadata.get("current-snapshot-id", -1)
    parent = None if current in (None, -1) else current
    snapshot = {"snapshot-id": rng.getrandbits(62), "sequence-number": metadata["last-sequence-number"] + 1, "timestamp-ms": int(time.time() * 1000),
                "manifest-list": metadata["location"] + f"/metadata/snap-{rng.getrandbits(62)}.avro", "summary": SUMMARY,
                "schema-id": metadata["current-schema-id"]}
    if parent is not None:
        snapshot["parent-snapshot-id"] = parent
    return {"requirements": [{"type": "assert-table-uuid", "uuid": metadata["table-uuid"]},
                             {"type": "assert-ref-snapshot-id", "ref": "main", "snapshot-id": parent}],
            "updates": [{"action": "add-snapshot", "snapshot": snapshot},
                        {"action": "set-snapshot-ref", "ref-name": "main", "type": "branch", "snapshot-id": snapshot["snapshot-id"]}]}


class Run:
    """What W writers did within SECONDS."""

    def __init__(self, base, name, writers, tables):
        names = [f"{name}_{number}" for number in range(tables)]
        for table in names:
            plain.expect(200, "POST", f"{base}/v1/namespaces/bench/tables",
                         {"name": table, "schema": SCHEMA, "properties": {"format-version": "2"}})
        end = time.monotonic() + SECONDS
        threads = [Writer(base, names[number % tables], f"{name}-{number}", end) for number in range(writers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(SECONDS + 120)
        faults = [fault for thread in threads for fault in thread.faults]
        assert not faults, faults[:3]
        self.done, self.attempts = sum(t.done for t in threads), sum(t.attempts for t in threads)
        self.rate = self.done / SECONDS
        self.success = self.done / self.attempts
        self.slowest = min(t.done for t in threads) / (self.done / writers) if self.done else 0
        self.median = statistics.median([ms for t in threads for ms in t.millis] or [0])
        for table in names:
            plain.expect(204, "DELETE", f"{base}/v1/namespaces/bench/tables/{table}")

    def tell(self, what):
        print(f"{what:44} {self.rate:7.0f} commits/s  {self.success:5.0%} of attempts  median {self.median:6.1f} ms  "
              f"slowest writer {self.slowest:4.2f} of the mean", flush=True)
        return self


def prepare(base):
    plain.expect(200, "POST", f"{base}/v1/namespaces", {"namespace": ["bench"]})
    Run(base, "warm_up", 4, 4)


def compare(report, ours, reference):
    for writers in WRITERS:
        with report.check(f"{writers} writers, {writers} tables" + (f": at least {RATIO} of the reference" if writers == 16 else "")):
            theirs = Run(reference, f"many{writers}", writers, writers).tell(f"reference, {writers} writers on as many tables")
            own = Run(ours, f"many{writers}", writers, writers).tell(f"ours, {writers} writers on as many tables")
            print(f"{'ratio to the reference':44} {own.rate / theirs.rate:7.2f}", flush=True)
            assert writers != 16 or own.rate >= RATIO * theirs.rate, f"ratio {own.rate / theirs.rate:.2f}"
    with report.check("16 writers on one table: success per attempt at least twice the reference's, slowest writer at least half the mean"):
        theirs = Run(reference, "one", 16, 1).tell("reference, 16 writers on one table")
        own = Run(ours, "one", 16, 1).tell("ours, 16 writers on one table")
        assert own.success >= 2 * theirs.success, f"success {own.success:.2f} beside {theirs.success:.2f}"
        assert own.slowest >= 0.5, f"the slowest writer got {own.slowest:.2f} of the mean"


class SlowStore(moto.Moto):
    """An S3 server that is DELAY_MILLIS away."""

    def __init__(self, folder, bucket):
        super().__init__(folder, bucket)
        self.bucket, port = bucket, process.free_port()
        process.Child([sys.executable, delay.__file__, port, self.port, DELAY_MILLIS], folder / "delay.log")
        process.wait_until("the slow way", lambda: process.listening(port), 30)
        self.endpoint = f"http://127.0.0.1:{port}"

    def puts(self, clients):
        """What the store itself does: PUTs of small objects in a second, and the median time of one in milliseconds."""
        client, end, millis = self.client(), time.monotonic() + SECONDS, []

        def put(number):
            parts = urllib.parse.urlsplit(self.endpoint)
            connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=60)
            while time.monotonic() < end:
                url = client.generate_presigned_url("put_object", {"Bucket": self.bucket, "Key": f"probe/{number}/{len(millis)}"})
                start = time.monotonic()
                connection.request("PUT", url[len(self.endpoint):], b"x" * 2_000)
                answer = connection.getresponse()
                answer.read()
                assert answer.status == 200, answer.status
                millis.append((time.monotonic() - start) * 1000)

        threads = [threading.Thread(target=put, args=(number,)) for number in range(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return len(millis) / SECONDS, statistics.median(millis)


def behind_slow_store(report, folder):
    (folder / "far").mkdir()
    store = SlowStore(folder, "lake")
    with ServeServer(folder / "far", store, "lake", "far", secrets_key()) as far:
        with report.check(f"every store request {DELAY_MILLIS} ms away: a catalog is registered"):
            plain.expect(201, "POST", f"{far.base}/catalogs", {"catalog_id": "far", "config": {"type": "native"}})
            prepare(far.catalog("far"))
        own, alone = {}, {}
        for writers in WRITERS:
            own[writers] = Run(far.catalog("far"), f"far{writers}", writers, writers).tell(f"ours, {DELAY_MILLIS} ms away, {writers} writers on as many tables")
            alone[writers], millis = store.puts(writers)
            print(f"{f'the store alone, {writers} clients':44} {alone[writers]:7.0f} PUTs/s                    median {millis:6.1f} ms", flush=True)
        with report.check(f"16 writers, 16 tables: at least {DELAYED:.0f} commits/s, or {OF_PUTS} of the PUTs/s that the store takes"):
            assert own[16].rate >= min(DELAYED, OF_PUTS * alone[16]), f"{own[16].rate:.0f} commits/s beside {alone[16]:.0f} PUTs/s"
        with report.check(f"a commit of a lone writer takes two rounds of store requests: at least {OF_ROUNDS} of half the PUTs/s of a lone client"):
            assert own[1].rate >= OF_ROUNDS * alone[1] / 2, f"{own[1].rate:.1f} commits/s beside {alone[1]:.1f} PUTs/s"


def main():
    process.limit(900)
    if not list(places.KIT.glob("iceberg-open-api-*-test-fixtures.jar")):
        print("commits: 0 passed, 0 failed, 1 skipped (everything: the reference server could not be installed)")
        return 1
    report, folder = Report("commits"), places.scratch("commits")
    print(f"{SECONDS:.0f} s a run, logs in {folder}", flush=True)
    for name in ("reference", "ours"):
        (folder / name).mkdir()
    reference = upstream.over_disk(folder / "reference").start()
    with Server(folder / "ours") as ours:
        prepare(reference.uri)
        prepare(ours.catalog())
        compare(report, ours.catalog(), reference.uri)
    reference.child.stop()
    behind_slow_store(report, folder)
    return report.finish(folder)


if __name__ == "__main__":
    sys.exit(main())
