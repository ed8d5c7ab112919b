"""kill -9 at random moments under load: every acknowledged row is there, every row exactly once.

Clients post batches of unique row ids, each request with an Idempotency-Key of its own. What was not acknowledged is
sent again with the same key until it is. Environment: CHECKS_KILLS (20), CHECKS_CLIENTS (4), CHECKS_SEED (random), CHECKS_KILL_SECONDS (600).
"""
import collections
import os
import random
import sys
import threading
import time
import uuid

from harness import http, places, process
from harness.report import Report, same
from harness.server import START_SECONDS, Server

KILLS = int(os.environ.get("CHECKS_KILLS", "20"))
CLIENTS = int(os.environ.get("CHECKS_CLIENTS", "4"))
SEED = int(os.environ.get("CHECKS_SEED") or random.SystemRandom().randrange(10**9))
SECONDS = int(os.environ.get("CHECKS_KILL_SECONDS", "600"))
TABLES = ["one", "two", "three"]


class Batch:
    """One request: fixed rows, key and query, however often it is sent."""

    def __init__(self, rng, first):
        self.table = rng.choice(TABLES)
        big = rng.random() < 0.02
        count, pad = (20_000, 1_000) if big else (rng.randrange(1, 2_000), rng.randrange(80))
        self.ids = range(first, first + count)
        self.key = str(uuid.UUID(int=rng.getrandbits(128), version=4))
        self.ack = rng.choice(["durable", "durable", "committed"])
        self.body = b"".join(b'{"id":%d,"pad":"%s"}\n' % (number, b"x" * pad) for number in self.ids)
        self.sent = 0


class Client(threading.Thread):
    """Posts batch after batch until told to stop, then sees its last one through."""

    def __init__(self, number, server, stop, deadline):
        super().__init__(daemon=True)
        self.rng = random.Random(f"{SEED}-{number}")
        self.server, self.stop, self.deadline = server, stop, deadline
        self.next = number * 10**12
        self.acknowledged, self.answers, self.faults = [], {}, []
        self.resent = self.throttled = 0
        self.open = None

    def run(self):
        while not self.stop.is_set() and not self.faults:
            self.open = Batch(self.rng, self.next)
            self.next = self.open.ids.stop
            if not self.see_through(self.open):
                return
            self.open = None
            self.stop.wait(self.rng.random() * 0.05)

    def see_through(self, batch):
        """Sends the batch until it is acknowledged. False past the deadline or at an answer that must not be."""
        while time.monotonic() < self.deadline:
            self.resent += batch.sent > 0
            batch.sent += 1
            try:
                answer = self.post(batch)
            except OSError:
                time.sleep(0.05)
                continue
            if answer.status == 200:
                return self.note(batch, answer.json())
            if answer.status not in (429, 500, 503, 504):
                self.faults.append(f"batch {batch.key} of {batch.table}, sent {batch.sent} times: {answer!r}")
                return False
            self.throttled += answer.status == 429
            time.sleep(min(float(answer.headers.get("Retry-After") or 0.1), 2))
        self.faults.append(f"batch {batch.key}: not acknowledged before the deadline, sent {batch.sent} times")
        return False

    def post(self, batch, body=None):
        url = self.server.rows("dev", "kill", batch.table, create="true", ack=batch.ack)
        headers = {"Content-Type": "application/x-ndjson", "Idempotency-Key": batch.key}
        return http.request("POST", url, body or batch.body, headers, seconds=60)

    def note(self, batch, answer):
        if answer["accepted"] != len(batch.ids):
            self.faults.append(f"batch {batch.key}: accepted {answer['accepted']} of {len(batch.ids)}")
        self.answers[batch.key] = answer
        batch.size, batch.body = len(batch.body), batch.body if len(batch.body) < 200_000 else None
        self.acknowledged.append(batch)
        return True


def wait_for_start(server):
    process.wait_until("the server after its restart", server.ready, START_SECONDS)


def kill_again_and_again(servers, clients, rng, deadline):
    """KILLS lives: now and then one ends while it is still starting, the others at a random moment under load."""
    for number in range(KILLS):
        assert time.monotonic() < deadline, f"only {number} kills within {SECONDS} s"
        server = rng.choice(servers)
        if number and rng.random() < 0.2:
            time.sleep(rng.random() * 2)
        else:
            wait_for_start(server)
            acknowledged = progress(clients)
            process.wait_until("progress after a restart", lambda: progress(clients) > acknowledged or faults(clients), START_SECONDS)
            time.sleep(rng.expovariate(1.0) if rng.random() < 0.8 else rng.random() * 0.05)
        assert not faults(clients), faults(clients)
        server.child.kill()
        server.launch()
    for server in servers:
        wait_for_start(server)


def progress(clients):
    return sum(len(client.acknowledged) for client in clients)


def faults(clients):
    return [fault for client in clients for fault in client.faults]


def ids_in(server, table):
    """Every id that a reader finds, one by one."""
    from pyiceberg.catalog.rest import RestCatalog
    found = RestCatalog("dev", uri=server.catalog()).load_table(("kill", table)).scan(selected_fields=("id",)).to_arrow()
    return found.column("id").to_pylist()


def check_table(server, table, batches):
    """Exactly the acknowledged ids, each once. Waits for the last commit, since most acks were given before one."""
    wanted = {number for batch in batches for number in batch.ids}
    found = []

    def settled():
        found[:] = ids_in(server, table)
        return len(found) >= len(wanted)

    try:
        process.wait_until(f"{table}: all rows visible", settled, 60, every=1)
    except TimeoutError:
        pass
    counts = collections.Counter(found)
    twice = [number for number, count in counts.items() if count > 1]
    lost, extra = wanted - counts.keys(), counts.keys() - wanted
    assert not (twice or lost or extra), (
        f"{len(lost)} acknowledged rows lost {blame(batches, lost)}, {len(twice)} rows more than once {blame(batches, twice)}, "
        f"{len(extra)} rows that nobody was told of {sorted(extra)[:5]}")
    print(f"      {table}: {len(found)} rows, each once", flush=True)


def blame(batches, ids):
    """The batches that some of these ids came in."""
    ids = set(ids)
    guilty = [batch for batch in batches if not ids.isdisjoint(batch.ids)]
    return [f"key {batch.key} ack={batch.ack} {batch.size} bytes sent {batch.sent} times" for batch in guilty[:3]]


def check_repeats(clients, rng):
    """An acknowledged batch sent once more gets the answer of the first time; other rows under its key are refused."""
    for client in clients:
        kept = [batch for batch in client.acknowledged if batch.body]
        for batch in rng.sample(kept, min(5, len(kept))):
            answer = client.post(batch)
            same(answer.status, 200, f"repeat of {batch.key}")
            same(answer.json(), client.answers[batch.key], f"answer to the repeat of {batch.key}")
            other = client.post(batch, b'{"id":-1,"pad":"other"}\n')
            assert 400 <= other.status < 500 and other.status != 429, f"another body under key {batch.key}: {other!r}"


def run(report, servers, rng):
    """The whole check over servers of one storage: each client stays with one of them, which may be killed and comes back."""
    stop, deadline = threading.Event(), time.monotonic() + SECONDS
    clients = [Client(number + 1, servers[number % len(servers)], stop, deadline) for number in range(CLIENTS)]
    for client in clients:
        client.start()
    with report.check(f"{KILLS} kills, every batch acknowledged in the end"):
        try:
            kill_again_and_again(servers, clients, rng, deadline)
        finally:
            stop.set()
            for client in clients:
                client.join(max(1.0, deadline - time.monotonic()))
        assert not faults(clients), "; ".join(faults(clients)[:3])
    batches = [batch for client in clients for batch in client.acknowledged]
    resent, throttled = sum(client.resent for client in clients), sum(client.throttled for client in clients)
    print(f"      {len(batches)} batches acknowledged, {resent} sends repeated, {throttled} throttled", flush=True)
    with report.check("repeats are answered as the first time, also across kills"):
        check_repeats(clients, rng)
    for table in TABLES:
        with report.check(f"{table}: every acknowledged row exactly once"):
            check_table(servers[0], table, [batch for batch in batches if batch.table == table])


def main():
    process.limit(SECONDS + 900)
    report, folder = Report("kill"), places.scratch("kill")
    print(f"seed {SEED} (CHECKS_SEED={SEED} repeats the choices), server log and data in {folder}", flush=True)
    with Server(folder) as server:
        with report.logs_of(server):
            run(report, [server], random.Random(SEED))
    return report.finish(folder)


if __name__ == "__main__":
    sys.exit(main())
