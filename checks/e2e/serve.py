"""`se serve` over S3 (moto): two nodes on one bucket under kill -9, a stop that keeps what was accepted, and a node on a new machine."""
import random
import signal
import sys

import kill
from harness import http, moto, places, process
from harness.report import Report, same
from harness.server import ServeServer, secrets_key

BUCKET = "cluster"
ROWS = 5_000


def nodes(folder, s3, count):
    key = secrets_key()
    for number in range(count):
        (folder / f"node{number}").mkdir()
    return [ServeServer(folder / f"node{number}", s3, BUCKET, f"node{number}", key, ["--ingest.commit-interval-ms", "1000", "--server.stop-ms", "6000"])
            for number in range(count)]


def check_registered(report, server):
    with report.check("a native catalog is registered, and its bucket made"):
        http.expect(201, "POST", f"{server.base}/catalogs", {"catalog_id": "dev", "config": {"type": "native"}})
        http.expect(200, "GET", f"{server.catalog()}/v1/namespaces")
    with report.check("the storage's objects are in the bucket alone"):
        listed = server.s3.client().list_objects_v2(Bucket=BUCKET)
        assert listed["KeyCount"] > 0, "nothing is stored in the bucket"
        same([path.name for path in server.folder.iterdir()], ["server.log"], "files beside the server's log")


def post(server, first):
    body = b"".join(b'{"id":%d}\n' % number for number in range(first, first + ROWS))
    url = server.rows("dev", "kill", "stopped", create="true")
    return http.expect(200, "POST", url, body, {"Content-Type": "application/x-ndjson"})


def check_stop(report, server):
    with report.check("SIGTERM: what was accepted is in the table, the process ends with 0"):
        post(server, 0)
        server.child.signal(signal.SIGTERM)
        same(server.child.process.wait(60), 0, "exit code")


def check_new_machine(report, server):
    with report.check("a node that never was here before serves everything: nothing is kept outside of the bucket"):
        same(sorted(kill.ids_in(server, "stopped")), list(range(ROWS)), "ids")
        post(server, ROWS)
        process.wait_until("the rows of the new node", lambda: len(kill.ids_in(server, "stopped")) >= 2 * ROWS, 60, every=1)
        same(sorted(kill.ids_in(server, "stopped")), list(range(2 * ROWS)), "ids")


def check_stop_without_store(report, server):
    with report.check("SIGTERM while the store is gone: the process ends in time, and what was accepted is in the store"):
        post(server, 2 * ROWS)
        server.s3.child.signal(signal.SIGSTOP)
        server.child.signal(signal.SIGTERM)
        same(server.child.process.wait(30), 0, "exit code")
        server.s3.child.signal(signal.SIGCONT)
        server.start()
        process.wait_until("the rows that were accepted", lambda: len(kill.ids_in(server, "stopped")) >= 3 * ROWS, 60, every=1)
        same(sorted(kill.ids_in(server, "stopped")), list(range(3 * ROWS)), "ids")


def main():
    process.limit(kill.SECONDS + 900)
    report, folder = Report("serve"), places.scratch("serve")
    print(f"seed {kill.SEED} (CHECKS_SEED={kill.SEED} repeats the choices), logs in {folder}", flush=True)
    servers = nodes(folder, moto.Moto(folder, BUCKET), 3)
    working, fresh = servers[:2], servers[2]
    try:
        working[0].start()
        check_registered(report, working[0])
        working[1].start()
        kill.run(report, working, random.Random(kill.SEED))
        check_stop(report, working[0])
        working[1].stop()
        fresh.start()
        check_new_machine(report, fresh)
        check_stop_without_store(report, fresh)
    finally:
        if report.failed:
            for server in servers:
                server.show_log()
        for server in servers:
            server.stop()
    return report.finish(folder)


if __name__ == "__main__":
    sys.exit(main())
