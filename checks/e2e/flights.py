"""Three million real flights: as NDJSON by HTTP into a table, then every engine's aggregates against the source."""
import gzip
import os
import time

import duckdb

from harness import http, places
from harness.report import same

ROWS = int(os.environ.get("CHECKS_FLIGHTS_ROWS", "3000000"))
REQUESTS = 6
START = 978307200000000
TOTALS = """
    SELECT count(*), count(date), count(delay), count(distance), count(origin), count(destination),
           min(delay), max(delay), sum(delay), min(distance), max(distance), sum(distance), min(origin), max(origin),
           min(destination), max(destination), count(DISTINCT origin), count(DISTINCT destination),
           min({micros:date}), max({micros:date}), count(DISTINCT date)
    FROM {demo.flights}"""
ROUTES = f"""
    SELECT origin, destination, count(*), sum(delay), sum(distance), sum({{micros:date}} - {START}), min({{micros:date}}), max(delay)
    FROM {{demo.flights}} GROUP BY origin, destination ORDER BY origin, destination"""


def source(sql):
    """The same question asked of the original file by a DuckDB that has never heard of Iceberg."""
    text = sql.replace("{micros:date}", "epoch_us(date)").replace("{demo.flights}", f"(FROM '{places.FLIGHTS}' LIMIT {ROWS})")
    return duckdb.connect().execute(text).fetchall()


def write_ndjson(folder):
    """The source as NDJSON, one file a request; the paths in order."""
    step = -(-ROWS // REQUESTS)
    paths = []
    for number in range(REQUESTS):
        path = folder / f"flights-{number}.ndjson"
        duckdb.connect().execute(f"""
            COPY (SELECT strftime(date, '%Y-%m-%dT%H:%M:%S.%fZ') AS date, delay, distance, origin, destination
                  FROM '{places.FLIGHTS}' LIMIT {min(step, ROWS - number * step)} OFFSET {number * step}) TO '{path}' (FORMAT json)""")
        paths.append(path)
    return paths


def encoded(path, number):
    """The body of request `number`: by gzip, by zstd, in chunks of unknown number, the others as they are."""
    if number == 0:
        return gzip.compress(path.read_bytes(), 1), {"Content-Encoding": "gzip"}
    if number == 1:
        import zstandard
        return zstandard.compress(path.read_bytes(), 1), {"Content-Encoding": "zstd"}
    body = path.open("rb")
    if number == 2:
        return iter(lambda: body.read(1 << 16), b""), {}
    return body, {"Content-Length": str(path.stat().st_size)}


def load(server, folder):
    """Sends all rows; the last request waits for the commit. Prints the rate."""
    paths = write_ndjson(folder)
    sizes = sum(path.stat().st_size for path in paths)
    accepted, start = 0, time.monotonic()
    for number, path in enumerate(paths):
        body, headers = encoded(path, number)
        ack = "committed" if number == len(paths) - 1 else "durable"
        url = server.rows("dev", "demo", "flights", create="true", ack=ack)
        answer = http.expect(200, "POST", url, body, {"Content-Type": "application/x-ndjson", **headers}, seconds=300)
        same(answer["rejected-count"], 0, "rejected-count")
        accepted += answer["accepted"]
    took = time.monotonic() - start
    same(accepted, ROWS, "accepted")
    assert answer["snapshot-id"], f"ack=committed names no snapshot: {answer}"
    print(f"      {ROWS} rows, {sizes / 1e6:.0f} MB of NDJSON in {took:.1f} s", flush=True)
    for path in paths:
        path.unlink()


def compare(engine):
    for title, sql in (("totals", TOTALS), ("routes", ROUTES)):
        found, wanted = plain(engine.query(sql)), plain(source(sql))
        same(len(found), len(wanted), f"{title}: rows")
        for mine, theirs in zip(found, wanted):
            same(mine, theirs, title)


def plain(rows):
    return [tuple(value if isinstance(value, str) else int(value) for value in row) for row in rows]
