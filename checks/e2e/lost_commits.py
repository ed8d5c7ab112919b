"""Sixteen writers commit transactions over pairs of the same four tables while the server is killed and restarted.

A transaction appends a snapshot with its id to both tables. In the end every acknowledged one must be in both of its tables once,
every other one in both or in neither, and each table's history one unbroken line. Half of the writers send what was not
acknowledged again under its Idempotency-Key, until it is: what they get is counted like any acknowledgement.
"""
import collections
import itertools
import os
import random
import sys
import threading
import time
import uuid

from harness import http, places, process
from harness.report import Report, same
from harness.server import START_SECONDS, Server

KILLS = int(os.environ.get("CHECKS_KILLS", "5"))
WRITERS = int(os.environ.get("CHECKS_WRITERS", "16"))
SEED = int(os.environ.get("CHECKS_SEED") or random.SystemRandom().randrange(10**9))
TABLES = ["t0", "t1", "t2", "t3"]
PAIRS = list(itertools.combinations(TABLES, 2))
SCHEMA = {"type": "struct", "fields": [{"id": 1, "name": "id", "type": "long", "required": False}]}


class Writer(threading.Thread):
    def __init__(self, number, server, stop):
        super().__init__(daemon=True)
        self.rng = random.Random(f"{SEED}-{number}")
        self.server, self.stop, self.repeats = server, stop, number % 2 == 0
        self.acknowledged, self.unknown, self.refused, self.faults = {}, {}, {}, []
        self.lost = self.again = 0

    def run(self):
        while not self.stop.is_set() and not self.faults:
            pair = self.rng.choice(PAIRS)
            try:
                heads = [load(self.server, table) for table in pair]
            except (OSError, AssertionError):
                time.sleep(0.05)
                continue
            self.transact(pair, heads)

    def transact(self, pair, heads):
        name, key = f"{self.rng.getrandbits(60):x}", str(uuid.UUID(int=self.rng.getrandbits(128), version=4))
        body = {"table-changes": [change(table, metadata, name, self.rng) for table, metadata in zip(pair, heads)]}
        while True:
            outcome = self.send(body, key)
            if outcome == "unknown" and self.repeats:
                self.again += 1
                time.sleep(0.05)
                continue
            self.note(outcome, name, pair)
            return

    def send(self, body, key):
        headers = {"Idempotency-Key": key} if self.repeats else {}
        try:
            answer = http.request("POST", f"{self.server.catalog()}/v1/transactions/commit", body, headers, seconds=30)
        except OSError:
            return "unknown"
        if answer.status in (500, 503, 504):
            return "unknown"
        if answer.status not in (204, 409, 429):
            self.faults.append(f"{answer!r}")
        # A repeat that was told to wait is not decided yet.
        if answer.status == 429 and self.repeats:
            return "unknown"
        return {204: "acknowledged"}.get(answer.status, "refused")

    def note(self, outcome, name, pair):
        {"acknowledged": self.acknowledged, "unknown": self.unknown, "refused": self.refused}[outcome][name] = pair
        self.lost += outcome == "refused"


def load(server, table):
    return http.expect(200, "GET", f"{server.catalog()}/v1/namespaces/tx/tables/{table}", seconds=30)["metadata"]


def change(table, metadata, name, rng):
    current = metadata.get("current-snapshot-id", -1)
    parent = None if current in (None, -1) else current
    snapshot = {"snapshot-id": rng.getrandbits(62), "sequence-number": metadata["last-sequence-number"] + 1, "timestamp-ms": int(time.time() * 1000),
                "manifest-list": f"{metadata['location']}/metadata/snap-{rng.getrandbits(62)}.avro", "schema-id": metadata["current-schema-id"],
                "summary": {"operation": "append", "transaction": name}}
    if parent is not None:
        snapshot["parent-snapshot-id"] = parent
    return {"identifier": {"namespace": ["tx"], "name": table},
            "requirements": [{"type": "assert-table-uuid", "uuid": metadata["table-uuid"]},
                             {"type": "assert-ref-snapshot-id", "ref": "main", "snapshot-id": parent}],
            "updates": [{"action": "add-snapshot", "snapshot": snapshot},
                        {"action": "set-snapshot-ref", "ref-name": "main", "type": "branch", "snapshot-id": snapshot["snapshot-id"]}]}


def kill_again_and_again(server, writers, rng):
    for _ in range(KILLS):
        process.wait_until("the server after its restart", server.ready, START_SECONDS)
        before = sum(len(writer.acknowledged) for writer in writers)
        process.wait_until("commits after a restart", lambda: sum(len(w.acknowledged) for w in writers) > before + 10 or faults(writers),
                           START_SECONDS)
        time.sleep(rng.random() * 2)
        assert not faults(writers), faults(writers)[:3]
        server.child.kill()
        server.launch()
    process.wait_until("the server after its restart", server.ready, START_SECONDS)
    time.sleep(1)


def faults(writers):
    return [fault for writer in writers for fault in writer.faults]


def check_histories(found):
    for table, metadata in found.items():
        parent = None
        for snapshot in metadata.get("snapshots", []):
            same(snapshot.get("parent-snapshot-id"), parent, f"{table}: parent of {snapshot['snapshot-id']}")
            parent = snapshot["snapshot-id"]
        same(metadata.get("current-snapshot-id"), parent, f"{table}: current snapshot")


def check_transactions(writers, found):
    counts = {table: collections.Counter(snapshot["summary"]["transaction"] for snapshot in metadata.get("snapshots", []))
              for table, metadata in found.items()}
    twice = [(table, name) for table, counter in counts.items() for name, count in counter.items() if count > 1]
    assert not twice, f"{len(twice)} in a table more than once: {twice[:3]}"
    known = {}
    for writer in writers:
        for name, pair in writer.acknowledged.items():
            missing = [table for table in pair if not counts[table][name]]
            assert not missing, f"acknowledged, and not in {missing}: {name} over {pair}"
        for name, pair in writer.refused.items():
            there = [table for table in pair if counts[table][name]]
            assert not there, f"refused, and in {there}: {name} over {pair}"
        known |= writer.acknowledged | writer.unknown
    for name, pair in known.items():
        here = [table for table in TABLES if counts[table][name]]
        assert here in ([], list(pair)), f"half applied: {name} over {pair} is in {here}"
    strangers = {name for counter in counts.values() for name in counter} - known.keys()
    assert not strangers, f"nobody knows of {sorted(strangers)[:3]}"


def run(report, server, rng):
    http.expect(200, "POST", f"{server.catalog()}/v1/namespaces", {"namespace": ["tx"]})
    for table in TABLES:
        http.expect(200, "POST", f"{server.catalog()}/v1/namespaces/tx/tables",
                    {"name": table, "schema": SCHEMA, "properties": {"format-version": "2"}})
    stop = threading.Event()
    writers = [Writer(number, server, stop) for number in range(WRITERS)]
    for writer in writers:
        writer.start()
    with report.check(f"{KILLS} kills, and every answer is one that may be"):
        try:
            kill_again_and_again(server, writers, rng)
        finally:
            stop.set()
            for writer in writers:
                writer.join(60)
        assert not any(writer.is_alive() for writer in writers), "a writer still waits for an answer"
        assert not faults(writers), faults(writers)[:3]
    count = {what: sum(len(getattr(writer, what)) for writer in writers) for what in ("acknowledged", "unknown", "refused")}
    print(f"      {count['acknowledged']} transactions acknowledged, {count['refused']} refused, {count['unknown']} of unknown fate, "
          f"{sum(writer.again for writer in writers)} sends repeated", flush=True)
    found = {table: load(server, table) for table in TABLES}
    with report.check("each table's history is one line"):
        check_histories(found)
    with report.check("acknowledged once in both tables, refused in neither, unknown in both or neither"):
        check_transactions(writers, found)


def main():
    process.limit(900)
    report, folder = Report("lost-commits"), places.scratch("lost-commits")
    print(f"seed {SEED} (CHECKS_SEED={SEED} repeats the choices), server log and data in {folder}", flush=True)
    with Server(folder) as server:
        with report.logs_of(server):
            run(report, server, random.Random(SEED))
    return report.finish(folder)


if __name__ == "__main__":
    sys.exit(main())
