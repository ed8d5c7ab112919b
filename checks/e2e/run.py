"""The real jar against real engines: loads, compares, and lets every engine work on a table of its own.

Arguments name the parts to run: load, rows, own, views, lives, sharing. None means all.
"""
import os
import sys

os.environ["TZ"] = "UTC"

import body_formats
import every_type
import evolving
import flights
import own_tables
import row_answers
import sharing
import views
from engines import ENGINES
from harness import http, places, process
from harness.report import Report, same
from harness.server import Server

SEED = int(os.environ.get("CHECKS_SEED", "20261130"))
TYPE_ROWS = int(os.environ.get("CHECKS_TYPE_ROWS", "3000"))
NOT_SENT = {"geometry": "ingestion takes no rows for it yet", "geography": "ingestion takes no rows for it yet"}
LOADED = set()


def type_tables():
    """Table name -> columns."""
    return {"common": every_type.COMMON, **{f"only_{name}": {name: kind} for name, kind in every_type.ODD.items()}}


def load_types(server, table, columns):
    """Creates the table through the REST catalog and sends its rows; LOADED then has it."""
    http.expect(200, "POST", f"{server.catalog()}/v1/namespaces/types/tables",
                {"name": table, "schema": every_type.schema(columns), "properties": {"format-version": "3"}})
    made = every_type.rows(columns, TYPE_ROWS, SEED)
    answer = http.expect(200, "POST", server.rows("dev", "types", table, ack="committed"), every_type.ndjson(columns, made),
                         {"Content-Type": "application/x-ndjson"}, seconds=120)
    same((answer["accepted"], answer["rejected-count"]), (TYPE_ROWS, 0), "accepted, rejected")
    LOADED.add(table)


def compare_types(engine, table, columns):
    """Every value of every row, in one plain form."""
    wrongly = every_type.READS_WRONG.get(engine.name, {})
    kinds = {"id": "long", **{name: kind for name, kind in columns.items() if name not in wrongly}}
    made = {row["id"]: row for row in every_type.rows(columns, TYPE_ROWS, SEED)}
    found = engine.read("types", table, list(kinds))
    same(sorted(row["id"] for row in found), sorted(made), "ids")
    wrong = []
    for row in found:
        for name, kind in kinds.items():
            mine, theirs = every_type.plain(kind, row[name]), every_type.plain(kind, made[row["id"]][name])
            if mine != theirs:
                wrong.append(f"id {row['id']} {name}: found {mine!r}, wanted {theirs!r}")
    assert not wrong, f"{len(wrong)} values differ, the first: " + "; ".join(wrong[:5])


def check_loading(report, server, folder):
    if places.FLIGHTS.exists():
        with report.check(f"flights: {flights.ROWS} rows by HTTP into demo.flights"):
            flights.load(server, folder)
    else:
        report.skip("flights: load", "the data set could not be installed")
    with report.check("types: namespace"):
        http.expect(200, "POST", f"{server.catalog()}/v1/namespaces", {"namespace": ["types"]})
    for table, columns in type_tables().items():
        with report.check(f"types: {TYPE_ROWS} rows by HTTP into types.{table}"):
            load_types(server, table, columns)
    for name, reason in NOT_SENT.items():
        report.skip(f"types: {name}", reason)


def check_reading(report, engine):
    if places.FLIGHTS.exists():
        with report.check(f"{engine.name}: flights, totals and every route as in the source"):
            flights.compare(engine)
    else:
        report.skip(f"{engine.name}: flights", "the data set could not be installed")
    gaps = every_type.CANNOT_READ.get(engine.name, {})
    for table, columns in type_tables().items():
        gap = next((gaps[name] for name in columns if name in gaps), None)
        if gap or table not in LOADED:
            report.skip(f"{engine.name}: types.{table}", gap or "its rows did not get in")
            continue
        for name in every_type.READS_WRONG.get(engine.name, {}).keys() & columns.keys():
            report.skip(f"{engine.name}: types.{table}.{name}", every_type.READS_WRONG[engine.name][name])
        with report.check(f"{engine.name}: types.{table}, every value as sent"):
            compare_types(engine, table, columns)


def open_engines(report, uri):
    opened = []
    for kind in ENGINES:
        with report.check(f"{kind.name}: opens {uri} with nothing but that"):
            opened.append(kind(uri))
    return opened


def check_all(report, server, folder):
    parts = sys.argv[1:] or ["load", "rows", "own", "views", "lives", "sharing"]
    if "load" in parts:
        check_loading(report, server, folder)
    if "rows" in parts:
        row_answers.check(report, server)
        body_formats.check(report, server)
    engines = open_engines(report, server.catalog())
    try:
        for engine in engines:
            if "load" in parts:
                check_reading(report, engine)
        if "own" in parts:
            own_tables.check(report, engines)
        if "views" in parts:
            views.check(report, server, engines)
        if "lives" in parts:
            evolving.check(report, engines)
        if "sharing" in parts:
            sharing.check(report, engines)
    finally:
        for engine in engines:
            engine.close()


def main():
    process.limit(int(os.environ.get("CHECKS_E2E_SECONDS", "1800")))
    report = Report("e2e")
    folder = places.scratch("e2e")
    print(f"seed {SEED}, server log and data in {folder}", flush=True)
    with Server(folder) as server:
        with report.logs_of(server):
            check_all(report, server, folder)
        with report.check("server: still alive, stops on SIGTERM by itself"):
            assert server.child.alive(), "the server ended on its own"
            assert server.stop() in (0, 143), f"exit code {server.child.process.returncode}"
    return report.finish(folder)


if __name__ == "__main__":
    sys.exit(main())
