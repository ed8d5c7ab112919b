"""Channels across kill -9: producers send numbered rows without an Idempotency-Key, repeat what they do not know, and open their
channel anew when they are fenced; now and then somebody else takes a channel over. Every offset is in the table once, with the row of
whoever was told that it is durable. Environment: CHECKS_KILLS (6), CHECKS_SEED (random)."""
import json
import os
import random
import sys
import threading
import time

from harness import http, places, process
from harness.report import Report, same
from harness.server import START_SECONDS, Server

KILLS = int(os.environ.get("CHECKS_KILLS", "6"))
SEED = int(os.environ.get("CHECKS_SEED") or random.SystemRandom().randrange(10**9))
CHANNELS = 4
SECONDS = 300
RETRIED = (429, 500, 503, 504)


class Channel:
    """A channel's address."""

    def __init__(self, server, table, name):
        self.server, self.name = server, name
        self.table = f"{server.catalog()}/v1/namespaces/channels/tables/{table}"
        self.url = f"{self.table}/channels/{name.replace(' ', '%20')}"

    def call(self, method, path="", body=None):
        return http.request(method, self.url + path, json.dumps(body).encode() if body else b"", {}, seconds=90)

    def open(self):
        return self.call("POST")

    def rows(self, epoch, offset, rows, **query):
        words = "".join(f"&{key.replace('_', '-')}={value}" for key, value in query.items())
        url = f"{self.table}/rows?channel={self.name.replace(' ', '%20')}&epoch={epoch}&offset={offset}{words}"
        body = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
        return http.request("POST", url, body, {"Content-Type": "application/x-ndjson"}, seconds=90)


class Producer(threading.Thread):
    """Sends row after row, numbered by its channel; knows nothing but what it is told."""

    def __init__(self, number, channel, stop, deadline):
        super().__init__(daemon=True)
        self.number, self.channel, self.stop, self.deadline = number, channel, stop, deadline
        self.rng = random.Random(f"{SEED}-{number}")
        self.epoch = self.opened = self.fenced = self.repeated = 0
        self.told, self.faults = {}, []

    def run(self):
        while not self.stop.is_set() and not self.faults and time.monotonic() < self.deadline:
            if not self.epoch and not self.reopen():
                time.sleep(0.1)
                continue
            count = self.rng.randrange(1, 400)
            rows = [{"id": self.next + n, "by": self.number} for n in range(count)]
            while self.epoch and not self.faults and time.monotonic() < self.deadline:
                if self.is_taken(rows):
                    break

    def reopen(self):
        try:
            answer = self.channel.open()
        except OSError:
            return False
        if answer.status != 200:
            self.check_retried(answer)
            return False
        self.epoch, self.next = answer.json()["epoch"], answer.json()["durable"]
        self.opened += 1
        return True

    def is_taken(self, rows):
        try:
            answer = self.channel.rows(self.epoch, self.next, rows, ack=self.rng.choice(["durable", "durable", "committed"]))
        except OSError:
            time.sleep(0.05)
            return False
        if answer.status == 409:
            self.fenced += 1
            self.epoch = 0
            if answer.json()["error"]["type"] not in ("ChannelFencedException", "OffsetGapException"):
                self.faults.append(repr(answer))
            return False
        if answer.status != 200:
            self.check_retried(answer)
            time.sleep(0.1)
            return False
        told = answer.json()
        if told["durable"] != self.next + len(rows) or told["accepted"] + told["repeated"] != len(rows):
            self.faults.append(f"{len(rows)} rows at {self.next}: {told}")
        self.repeated += told["repeated"]
        for row in rows:
            self.told[row["id"]] = self.number
        self.next += len(rows)
        return True

    def check_retried(self, answer):
        if answer.status not in RETRIED:
            self.faults.append(repr(answer))


def kill_again_and_again(server, producers, rng):
    for _ in range(KILLS):
        process.wait_until("the server", server.ready, START_SECONDS)
        before = sum(len(producer.told) for producer in producers)
        process.wait_until(
            "progress", lambda: sum(len(one.told) for one in producers) > before or faults(producers), START_SECONDS)
        time.sleep(rng.expovariate(1.0))
        assert not faults(producers), faults(producers)
        server.child.kill()
        server.launch()
    process.wait_until("the server", server.ready, START_SECONDS)


def faults(producers):
    return [fault for producer in producers for fault in producer.faults]


def make_tables(server, names):
    from pyiceberg.catalog.rest import RestCatalog
    from pyiceberg.schema import Schema
    from pyiceberg.types import LongType, NestedField
    catalog = RestCatalog("dev", uri=server.catalog())
    catalog.create_namespace("channels")
    for name in names:
        catalog.create_table(("channels", name), Schema(NestedField(1, "id", LongType()), NestedField(2, "by", LongType())))


def check_table(server, channel, producers):
    """The table has each offset once, up to where the channel stands."""
    from pyiceberg.catalog.rest import RestCatalog
    answer = channel.open()
    same(answer.status, 200, f"opening {channel.name}")
    stands = answer.json()
    same(stands["committed"], stands["durable"], "what an opening finds is committed")
    table = channel.table.rsplit("/", 1)[1]
    found = RestCatalog("dev", uri=server.catalog()).load_table(("channels", table)).scan().to_arrow().sort_by("id")
    same(found.column("id").to_pylist(), list(range(stands["durable"])), "offsets in the table")
    by = found.column("by").to_pylist()
    wrong = [offset for producer in producers for offset, who in producer.told.items() if by[offset] != who]
    assert not wrong, f"rows of others at offsets that were told to be durable: {wrong[:5]}"
    print(f"      {table}: {len(by)} rows, each once", flush=True)


def check_words(channel):
    """What the answers say, one by one."""
    opened = channel.open().json()
    epoch, at = opened["epoch"], opened["durable"]
    gap = channel.rows(epoch, at + 5, [{"id": 1, "by": 0}])
    same((gap.status, gap.json()["error"]["type"], gap.json()["error"]["expected-offset"]), (409, "OffsetGapException", at), "a gap")
    fenced = channel.rows(epoch - 1, at, [{"id": 1, "by": 0}])
    same((fenced.status, fenced.json()["error"]["type"]), (409, "ChannelFencedException"), "an older epoch")
    passed = channel.call("POST", "/advance", {"epoch": epoch, "offset": at + 5})
    same((passed.status, passed.json()["durable"]), (200, at + 5), "advanced without rows")
    rows = channel.rows(epoch, at + 5, [{"id": at, "by": 0}, {"id": "x", "by": 0}], on_error="skip").json()
    same((rows["accepted"], rows["rejected-count"], rows["durable"]), (1, 1, at + 7), "a row that is passed over")
    token = rows["token"]
    waited = http.get(f"{channel.table}/committed?token={token}&timeout-ms=30000", seconds=60)
    same((waited.status, waited.json()["committed"]), (200, True), "the token is waited for")
    closed = channel.call("POST", "/close").json()
    same((closed["committed"], closed["rejected"]), (at + 7, 1), "closed")
    same(channel.call("DELETE").status, 200, "retired")
    same(channel.call("GET").status, 404, "a retired channel")
    anew = channel.open().json()
    same(anew["durable"], 0, "a channel that is made anew")
    assert anew["epoch"] > epoch, anew


def main():
    process.limit(SECONDS + 300)
    report, folder, rng = Report("channels"), places.scratch("channels"), random.Random(SEED)
    print(f"seed {SEED} (CHECKS_SEED={SEED} repeats the choices), server log and data in {folder}", flush=True)
    with Server(folder) as server, report.logs_of(server):
        channels = [Channel(server, f"t{number}", f"orders {number}") for number in range(CHANNELS)]
        make_tables(server, [f"t{number}" for number in range(CHANNELS)])
        stop, deadline = threading.Event(), time.monotonic() + SECONDS
        producers = [[Producer(number, channel, stop, deadline)] for number, channel in enumerate(channels)]
        producers[0].append(Producer(99, channels[0], stop, deadline))
        everyone = [one for ones in producers for one in ones]
        for producer in everyone:
            producer.start()
        with report.check(f"{KILLS} kills, and every answer is one that may be"):
            try:
                kill_again_and_again(server, everyone, rng)
            finally:
                stop.set()
                for producer in everyone:
                    producer.join(120)
            assert not faults(everyone), faults(everyone)[:3]
        print(f"      {sum(one.opened for one in everyone)} openings, {sum(one.fenced for one in everyone)} times fenced, "
              f"{sum(one.repeated for one in everyone)} rows repeated", flush=True)
        for channel, ones in zip(channels, producers):
            with report.check(f"{channel.name}: every offset once, with the row that was told to be durable"):
                check_table(server, channel, ones)
        with report.check("gaps, older epochs, offsets passed over, tokens, closed and retired channels"):
            check_words(channels[1])
    return report.finish(folder)


if __name__ == "__main__":
    sys.exit(main())
