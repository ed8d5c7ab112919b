"""Trino, in a process of its own, against the real jar: what it makes is read by DuckDB and PyIceberg, and what they and the ingestion
make is read by it."""
import json
import os
import pathlib
import subprocess
import sys

os.environ["TZ"] = "UTC"

from engines import DuckDb, PyIceberg
from harness import http, places
from harness.report import Report, same
from harness.server import Server

NAMESPACE = "tri"
FLAGS = ["-Xmx2g", "--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"]


class Refused(Exception):
    """What Trino says of a statement that it did not do."""


class Trino:
    """`query(sql)` gives rows of texts."""

    def __init__(self, uri, keys, folder):
        properties = {
            "iceberg.catalog.type": "rest", "iceberg.rest-catalog.uri": uri, "fs.s3.enabled": "true",
            "s3.endpoint": keys["s3.endpoint"], "s3.path-style-access": "true", "s3.region": keys["client.region"],
            "s3.aws-access-key": keys["s3.access-key-id"], "s3.aws-secret-key": keys["s3.secret-access-key"]}
        java = pathlib.Path(os.environ["CHECKS_JDK25"]) / "bin" / "java"
        shell = pathlib.Path(__file__).parents[1] / "clients" / "TrinoShell.java"
        with open(folder / "trino.log", "ab") as log:
            self.process = subprocess.Popen(
                [java, *FLAGS, "-cp", f"{places.TRINO}/*", shell, *(f"{name}={value}" for name, value in properties.items())],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, cwd=folder)
        self._answer()

    def _answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"Trino ended with {self.process.wait(30)}: see its log")
        answer = json.loads(line)
        if "error" in answer:
            raise Refused(answer["error"])
        return [tuple(row) for row in answer["rows"]]

    def query(self, sql):
        self.process.stdin.write(json.dumps(" ".join(sql.split())) + "\n")
        self.process.stdin.flush()
        return self._answer()

    def close(self):
        self.process.stdin.close()
        self.process.wait(60)


def keys_of(server):
    """What the server tells an engine of how to reach the files: with a table, as every client gets it."""
    schema = {"type": "struct", "fields": [{"id": 1, "name": "id", "required": False, "type": "long"}]}
    http.expect(200, "POST", f"{server.catalog()}/v1/namespaces", {"namespace": [NAMESPACE]})
    made = http.expect(200, "POST", f"{server.catalog()}/v1/namespaces/{NAMESPACE}/tables", {"name": "keys", "schema": schema})
    return made["config"]


def tables(report, trino, duckdb, pyiceberg):
    with report.check("trino: makes a schema, finds the other"):
        trino.query("CREATE SCHEMA dev.own")
        names = {name for name, in trino.query("SHOW SCHEMAS FROM dev")}
        assert {"own", NAMESPACE} <= names, names
        trino.query("DROP SCHEMA dev.own")
    with report.check("trino: a partitioned table of format 3; DuckDB and PyIceberg read the same"):
        trino.query(f"""CREATE TABLE {NAMESPACE}.events (id bigint, kind varchar, at timestamp(6) with time zone, price decimal(12, 2),
                        tags array(varchar)) WITH (format_version = 3, partitioning = ARRAY['day(at)', 'bucket(id, 4)'])""")
        trino.query(f"""INSERT INTO {NAMESPACE}.events SELECT n, 'k' || CAST(n % 3 AS varchar),
                        TIMESTAMP '2026-01-01 00:00:00.123456 UTC' + n * INTERVAL '7' HOUR, DECIMAL '0.01' * n, ARRAY['a', CAST(n AS varchar)]
                        FROM UNNEST(sequence(1, 100)) AS t(n)""")
        found = trino.query(f"SELECT count(*), sum(id), sum(price), count(DISTINCT kind), max(at) FROM {NAMESPACE}.events")
        same(found, [("100", "5050", "50.50", "3", "2026-01-30 04:00:00.123456 UTC")], "Trino's totals")
        for engine in (duckdb, pyiceberg):
            totals = engine.query(f"SELECT count(*), sum(id), sum(price), count(DISTINCT kind) FROM {{{NAMESPACE}.events}}")
            same([str(value) for value in totals[0]], ["100", "5050", "50.50", "3"], engine.name)
    with report.check("trino: CREATE TABLE AS, refused where the name is taken"):
        trino.query(f"CREATE TABLE {NAMESPACE}.copied WITH (format_version = 3) AS SELECT id, kind FROM {NAMESPACE}.events WHERE id <= 10")
        same(trino.query(f"SELECT count(*), sum(id) FROM {NAMESPACE}.copied"), [("10", "55")], "rows of the copy")
        refused(trino, f"CREATE TABLE {NAMESPACE}.copied AS SELECT 1 AS id", "already exists")


def changes(report, trino, duckdb, pyiceberg):
    with report.check("trino: DELETE, UPDATE and MERGE write deletion vectors that DuckDB reads"):
        trino.query(f"DELETE FROM {NAMESPACE}.copied WHERE id = 3")
        trino.query(f"UPDATE {NAMESPACE}.copied SET kind = 'changed' WHERE id = 4")
        trino.query(f"""MERGE INTO {NAMESPACE}.copied AS t USING (VALUES (5, 'merged'), (11, 'new')) AS s(id, kind) ON t.id = s.id
                        WHEN MATCHED THEN UPDATE SET kind = s.kind WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.kind)""")
        wanted = [(1, "k1"), (2, "k2"), (4, "changed"), (5, "merged"), (6, "k0"), (7, "k1"), (8, "k2"), (9, "k0"), (10, "k1"), (11, "new")]
        same(sorted((int(id), kind) for id, kind in trino.query(f"SELECT id, kind FROM {NAMESPACE}.copied")), wanted, "Trino's rows")
        same(sorted(duckdb.query(f"SELECT id, kind FROM {{{NAMESPACE}.copied}}")), wanted, "DuckDB's rows")
        files = trino.query(f'SELECT DISTINCT content, file_format FROM {NAMESPACE}."copied$files"')
        assert ("1", "PUFFIN") in files, f"no deletion vector among {files}"
    with report.check("trino: goes back in time and optimizes"):
        first = trino.query(f'SELECT snapshot_id FROM {NAMESPACE}."copied$snapshots" ORDER BY committed_at LIMIT 1')[0][0]
        same(trino.query(f"SELECT count(*) FROM {NAMESPACE}.copied FOR VERSION AS OF {first}"), [("10",)], "rows of the first snapshot")
        trino.query(f"ALTER TABLE {NAMESPACE}.copied EXECUTE optimize")
        same(trino.query(f'SELECT DISTINCT content FROM {NAMESPACE}."copied$files"'), [("0",)], "kinds of files after it")
        same(sorted(duckdb.query(f"SELECT count(*), sum(id) FROM {{{NAMESPACE}.copied}}")), [(10, 63)], "DuckDB's rows after it")
    with report.check("trino: a table's columns, properties and name change; PyIceberg sees it"):
        trino.query(f"ALTER TABLE {NAMESPACE}.copied ADD COLUMN note varchar")
        trino.query(f"ALTER TABLE {NAMESPACE}.copied RENAME COLUMN kind TO sort")
        trino.query(f"UPDATE {NAMESPACE}.copied SET note = 'n' WHERE id = 1")
        trino.query(f"ALTER TABLE {NAMESPACE}.copied RENAME TO {NAMESPACE}.renamed")
        trino.query(f"COMMENT ON TABLE {NAMESPACE}.renamed IS 'of ten'")
        table = pyiceberg.catalog.load_table((NAMESPACE, "renamed"))
        same([field.name for field in table.schema().fields], ["id", "sort", "note"], "columns")
        same(table.properties["comment"], "of ten", "comment")
        trino.query(f"ALTER TABLE {NAMESPACE}.renamed DROP COLUMN sort")
        same(trino.query(f"SELECT id, note FROM {NAMESPACE}.renamed WHERE note IS NOT NULL"), [("1", "n")], "rows")
        refused(trino, f"SELECT * FROM {NAMESPACE}.copied", "does not exist")


def views(report, trino, pyiceberg):
    with report.check("trino: makes a view, replaces it, and PyIceberg sees it"):
        trino.query(f"CREATE VIEW {NAMESPACE}.few AS SELECT id, kind FROM {NAMESPACE}.events WHERE id < 3")
        same(sorted(trino.query(f"SELECT id, kind FROM {NAMESPACE}.few")), [("1", "k1"), ("2", "k2")], "rows of the view")
        trino.query(f"CREATE OR REPLACE VIEW {NAMESPACE}.few AS SELECT id, kind FROM {NAMESPACE}.events WHERE id > 98")
        same(sorted(trino.query(f"SELECT id FROM {NAMESPACE}.few")), [("100",), ("99",)], "rows of the replaced view")
        same(pyiceberg.list_views(NAMESPACE), [(NAMESPACE, "few")], "views that PyIceberg lists")
        assert "id > 98" in pyiceberg.load_view((NAMESPACE, "few")).sql_for("trino").sql
    with report.check("trino: a name is a table's or a view's"):
        refused(trino, f"CREATE TABLE {NAMESPACE}.few (id bigint)", "already exists")
        refused(trino, f"CREATE VIEW {NAMESPACE}.events AS SELECT 1 AS id", "already exists")
    with report.check("trino: renames the view and drops it"):
        trino.query(f"ALTER VIEW {NAMESPACE}.few RENAME TO {NAMESPACE}.some")
        same(trino.query(f"SELECT count(*) FROM {NAMESPACE}.some"), [("2",)], "rows of the renamed view")
        trino.query(f"DROP VIEW {NAMESPACE}.some")
        same(pyiceberg.list_views(NAMESPACE), [], "views that are left")


def others(report, server, trino, pyiceberg):
    with report.check("trino: reads what PyIceberg wrote, and PyIceberg what it adds"):
        import pyarrow
        rows = pyarrow.table({"id": pyarrow.array([1, 2, None], pyarrow.int64()), "name": ["a", None, "ö"]})
        table = pyiceberg.create_table((NAMESPACE, "py"), rows.schema)
        table.append(rows)
        same(sorted(trino.query(f"SELECT id, name FROM {NAMESPACE}.py"), key=str), [("1", "a"), ("2", "null"), ("null", "ö")], "rows")
        trino.query(f"INSERT INTO {NAMESPACE}.py VALUES (4, 'd')")
        same(pyiceberg.load_table((NAMESPACE, "py")).scan().to_arrow().num_rows, 4, "rows that PyIceberg reads")
    with report.check("trino: reads what ingestion took a moment ago, and ingestion goes on after its DELETE"):
        body = "".join(json.dumps({"n": n, "at": f"2026-02-03T04:05:{n:02d}Z"}) + "\n" for n in range(50)).encode()
        url = server.rows("dev", NAMESPACE, "taken", create="true", ack="committed")
        for _ in range(2):
            http.expect(200, "POST", url, body, {"Content-Type": "application/x-ndjson"})
            trino.query(f"DELETE FROM {NAMESPACE}.taken WHERE n < 25")
        same(trino.query(f"SELECT count(*), min(n), max(n) FROM {NAMESPACE}.taken"), [("50", "25", "49")], "rows")


def end(report, trino):
    with report.check("trino: drops its tables and the schema"):
        for name, in trino.query(f"SHOW TABLES FROM dev.{NAMESPACE}"):
            trino.query(f"DROP TABLE {NAMESPACE}.{name}")
        trino.query(f"DROP SCHEMA dev.{NAMESPACE}")
        assert (NAMESPACE,) not in trino.query("SHOW SCHEMAS FROM dev")


def refused(trino, statement, words):
    """AssertionError unless Trino refuses the statement with these words."""
    try:
        trino.query(statement)
    except Refused as fault:
        assert words in str(fault).lower(), f"{statement}: {fault}"
        return
    raise AssertionError(f"was not refused: {statement}")


def main():
    report = Report("trino")
    folder = places.scratch("trino")
    if not places.TRINO.exists():
        report.skip("trino", "its jars could not be installed")
        sys.exit(report.finish())
    with Server(folder) as server:
        trino = None
        with report.check("trino: starts on the REST URI"):
            trino = Trino(server.catalog(), keys_of(server), folder)
        if trino is not None:
            duckdb, pyiceberg = DuckDb(server.catalog()), PyIceberg(server.catalog())
            tables(report, trino, duckdb, pyiceberg)
            changes(report, trino, duckdb, pyiceberg)
            views(report, trino, pyiceberg.catalog)
            others(report, server, trino, pyiceberg.catalog)
            end(report, trino)
            trino.close()
    sys.exit(report.finish(folder))


if __name__ == "__main__":
    main()
