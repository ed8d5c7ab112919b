"""NDJSON by HTTP into a committed table, in rows and MB per CPU second of the whole server, beside DuckDB on one thread.

Environment: CHECKS_BENCH_ROWS (2500000), CHECKS_BENCH_RUNS (3: the first is cold), CHECKS_BENCH_MIN (0.5: the least ratio to DuckDB,
of the best run, that passes), CHECKS_BENCH_START_MILLIS (1500) and CHECKS_BENCH_IDLE_MB (250).
"""
import concurrent.futures
import os
import statistics
import subprocess
import sys
import time

import duckdb

from harness import http, places, process
from harness.report import Report, same
from harness.server import Server

ROWS = int(os.environ.get("CHECKS_BENCH_ROWS", "2500000"))
RUNS = int(os.environ.get("CHECKS_BENCH_RUNS", "3"))
MIN_RATIO = float(os.environ.get("CHECKS_BENCH_MIN", "0.5"))
START_MILLIS = float(os.environ.get("CHECKS_BENCH_START_MILLIS", "1500"))
IDLE_MB = float(os.environ.get("CHECKS_BENCH_IDLE_MB", "250"))
FILES = 10
SENDERS = 2
STARTS = 5
COLUMNS = {"id": "BIGINT", "at": "TIMESTAMPTZ", "account": "VARCHAR", "country": "VARCHAR", "amount": "DOUBLE", "quantity": "BIGINT",
           "status": "VARCHAR", "path": "VARCHAR", "ratio": "DOUBLE", "trial": "BOOLEAN"}
# Ten columns as events have them: a key, a time, few and many distinct texts, numbers. The same bytes on every machine.
GENERATE = """
    SELECT i AS id,
           strftime(make_timestamp(1767225600000000 + i * 1371), '%Y-%m-%dT%H:%M:%S.%fZ') AS at,
           'account-' || lpad(((i * 7919) % 250007)::VARCHAR, 8, '0') AS account,
           ['CH','DE','FR','IT','US','JP','BR','IN'][1 + (i * 31) % 8] AS country,
           ((i * 104729) % 1000003) / 100.0 AS amount, (i * 13) % 97 AS quantity,
           ['created','paid','shipped','returned'][1 + (i * 17) % 4] AS status,
           '/shop/' || ((i * 271) % 1009) || '/item/' || ((i * 6151) % 65537) AS path,
           ((i * 15485863) % 999983) / 999983.0 AS ratio, (i * 11) % 3 = 0 AS trial
    FROM range({first}, {last}) r(i)"""
PEER = """
import duckdb, sys
duckdb.connect(config={{"threads": "1"}}).execute("SET TimeZone='UTC'; COPY (SELECT * FROM read_json({files}, format='newline_delimited', columns={columns})) "
    "TO '{target}' (FORMAT parquet, COMPRESSION zstd)")
"""


def generate(folder):
    """The input as NDJSON files of equal row counts; their paths."""
    paths, step = [], -(-ROWS // FILES)
    for number in range(FILES):
        path = folder / f"rows-{number}.ndjson"
        query = GENERATE.format(first=number * step, last=min(ROWS, (number + 1) * step))
        duckdb.connect().execute(f"COPY ({query}) TO '{path}' (FORMAT json)")
        paths.append(path)
    return paths


def children_cpu():
    times = os.times()
    return times.children_user + times.children_system


def run_peer(paths, folder):
    """CPU seconds of DuckDB, start of its process included, on the same files."""
    script = PEER.format(files=[str(path) for path in paths], columns=COLUMNS, target=folder / "peer.parquet")
    before = children_cpu()
    subprocess.run([sys.executable, "-c", script], check=True)
    cpu = children_cpu() - before
    count = duckdb.connect().execute(f"SELECT count(*) FROM '{folder / 'peer.parquet'}'").fetchone()[0]
    same(count, ROWS, "DuckDB's rows")
    return cpu


def send(server, table, path, ack):
    with path.open("rb") as body:
        headers = {"Content-Type": "application/x-ndjson", "Content-Length": str(path.stat().st_size)}
        answer = http.request("POST", server.rows("dev", "bench", table, create="true", ack=ack), body, headers, seconds=600)
    if answer.status == 429:
        time.sleep(float(answer.headers.get("Retry-After") or 1))
        return send(server, table, path, ack)
    same(answer.status, 200, f"{path.name}: {answer!r}")
    return answer.json()


def load(server, table, paths):
    """CPU and wall seconds of the server from the first byte to the commit of the last row."""
    cpu, wall = server.child.cpu_seconds(), time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(SENDERS) as pool:
        answers = list(pool.map(lambda path: send(server, table, path, "durable"), paths[:-1]))
    answers.append(send(server, table, paths[-1], "committed"))
    wait_for_rows(server, table)
    cpu, wall = server.child.cpu_seconds() - cpu, time.monotonic() - wall
    same(sum(answer["accepted"] for answer in answers), ROWS, "accepted")
    return cpu, wall


def wait_for_rows(server, table):
    """Until the current snapshot counts every row: durable acks may have come before their commit."""
    url = f"{server.catalog()}/v1/namespaces/bench/tables/{table}"

    def counted():
        metadata = http.expect(200, "GET", url)["metadata"]
        current = [snapshot for snapshot in metadata.get("snapshots", []) if snapshot["snapshot-id"] == metadata.get("current-snapshot-id")]
        return current and int(current[0]["summary"]["total-records"]) >= ROWS

    process.wait_until("all rows committed", counted, 300, every=0.2)


def tell(what, cpu, wall, size):
    print(f"{what:34} {ROWS / cpu / 1e3:8.0f} k rows/CPU s {size / cpu / 1e6:8.1f} MB/CPU s   {cpu:6.2f} CPU s {wall:6.2f} s", flush=True)


def check_throughput(report, server, folder):
    paths = generate(folder)
    size = sum(path.stat().st_size for path in paths)
    print(f"{ROWS} rows, {size / 1e6:.0f} MB of NDJSON, {size / ROWS:.0f} bytes a row", flush=True)
    with report.check(f"throughput: at least {MIN_RATIO} of DuckDB per CPU second"):
        ratios = []
        for number in range(RUNS):
            start = time.monotonic()
            peer = run_peer(paths, folder)
            tell("DuckDB read_json -> Parquet zstd", peer, time.monotonic() - start, size)
            cpu, wall = load(server, f"run{number}", paths)
            tell(f"NDJSON -> committed table, run {number + 1}", cpu, wall, size)
            ratios.append(peer / cpu)
            print(f"{'ratio to DuckDB':34} {ratios[-1]:8.2f}", flush=True)
        assert max(ratios) >= MIN_RATIO, f"ratio {max(ratios):.2f}"


def start_millis(server):
    """From the launcher's start to a socket that takes connections."""
    start = time.monotonic()
    server.launch()
    process.wait_until("a listening socket", lambda: process.listening(server.port), 60, every=0.005)
    return (time.monotonic() - start) * 1000


def check_start(report, folder):
    server = Server(folder)
    with server:
        pass
    with report.check(f"start-up under {START_MILLIS:.0f} ms, idle memory under {IDLE_MB:.0f} MB"):
        times = []
        for _ in range(STARTS):
            times.append(start_millis(server))
            server.stop()
        server.start()
        # Idle is what is left when nothing has been asked for a while.
        time.sleep(3)
        idle = server.child.resident_bytes() / 1e6
        server.stop()
        print(f"{'start to a listening socket':34} {statistics.median(times):8.0f} ms (of {STARTS}: {min(times):.0f} to {max(times):.0f})")
        print(f"{'resident memory, idle':34} {idle:8.0f} MB", flush=True)
        assert statistics.median(times) < START_MILLIS and idle < IDLE_MB, f"{statistics.median(times):.0f} ms, {idle:.0f} MB"


def main():
    process.limit(1800)
    report, folder = Report("bench"), places.scratch("bench")
    print(f"server logs and data in {folder}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores (wall times need a quiet machine)", flush=True)
    (folder / "start").mkdir()
    (folder / "load").mkdir()
    check_start(report, folder / "start")
    with Server(folder / "load") as server:
        with report.logs_of(server):
            check_throughput(report, server, folder / "load")
    return report.finish(folder)


if __name__ == "__main__":
    sys.exit(main())
