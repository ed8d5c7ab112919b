"""Trino on the real jar: its catalog by Iceberg's REST, its files by S3, with PyIceberg and DuckDB beside it."""
import datetime
import decimal
import os
import sys
import urllib.parse

os.environ["TZ"] = "UTC"

import boto3

from engines import DuckDb, PyIceberg
from harness import http, places, process
from harness.report import Report, Skip, same
from harness.server import FIRST_START_SECONDS, Server
from harness.tap import Tap
from harness.trino import Refused, Trino

NAMESPACE = "tri"
UTC = datetime.timezone.utc


def keys(server):
    """The S3 properties that the catalog gives with a table."""
    url = f"{server.catalog()}/v1/namespaces"
    http.expect(200, "POST", url, {"namespace": ["probe"]})
    made = http.expect(200, "POST", f"{url}/probe/tables", {"name": "t", "schema": {"type": "struct", "fields": []}},
                       {"X-Iceberg-Access-Delegation": "vended-credentials"})
    http.expect(204, "DELETE", f"{url}/probe/tables/t")
    http.expect(204, "DELETE", f"{url}/probe")
    return made["config"]


class Both:
    """Trino and the others on the same tables."""

    def __init__(self, trino, uri):
        self.trino, self.pyiceberg, self.duckdb = trino, PyIceberg(uri), DuckDb(uri)

    def run(self, *statements):
        for statement in statements:
            self.trino.query(statement)

    def rows(self, table, columns="*"):
        return sorted(self.trino.query(f"SELECT {columns} FROM {NAMESPACE}.{table}"), key=str)

    def load(self, table):
        return self.pyiceberg.catalog.load_table((NAMESPACE, table))

    def same(self, table, columns, wanted, other=None):
        """Trino reads these rows, and so does the other engine, PyIceberg when none is named."""
        other, wanted = other or self.pyiceberg, sorted(wanted, key=str)
        same(self.rows(table, ", ".join(columns)), wanted, f"rows of {table} that Trino reads")
        found = [tuple(row[name] for name in columns) for row in other.read(NAMESPACE, table, columns)]
        same(sorted((tuple(map(plain, row)) for row in found), key=str), wanted, f"rows of {table} that {other.name} reads")

    def refused(self, statement, words):
        """AssertionError unless Trino refuses the statement with these words."""
        try:
            self.trino.query(statement)
        except Refused as fault:
            assert words in str(fault).lower(), fault
            return
        raise AssertionError(f"was not refused: {statement}")


def plain(value):
    """A value as it comes from Trino."""
    if isinstance(value, datetime.datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f UTC")
    return str(value) if isinstance(value, (decimal.Decimal, datetime.date)) else value


def check_tables(report, both):
    with report.check("trino: CREATE SCHEMA, which PyIceberg lists"):
        both.run(f"CREATE SCHEMA {NAMESPACE}")
        same((both.trino.query("SHOW SCHEMAS LIKE 'tri'"), both.pyiceberg.catalog.list_namespaces()), ([("tri",)], [("tri",)]), "schemas")
    with report.check("trino: CREATE TABLE partitioned, INSERT, SELECT; PyIceberg reads the same rows and partitions"):
        both.run(f"CREATE TABLE {NAMESPACE}.parts (id bigint NOT NULL, name varchar, day date) "
                 "WITH (format_version = 2, partitioning = ARRAY['bucket(id, 4)', 'month(day)'])",
                 f"INSERT INTO {NAMESPACE}.parts VALUES (1, 'a', DATE '2020-01-01'), (2, 'ü', NULL), (3, NULL, DATE '1969-12-31')")
        both.same("parts", ["id", "name", "day"], [(1, "a", "2020-01-01"), (2, "ü", None), (3, None, "1969-12-31")])
        same([str(field.transform) for field in both.load("parts").spec().fields], ["bucket[4]", "month"], "partitions that PyIceberg sees")
        same(both.rows('"parts$partitions"', "partition.day_month, record_count"), [(-1, 1), (600, 1), (None, 1)], "partitions")
    with report.check("trino: CREATE TABLE AS SELECT"):
        both.run(f"CREATE TABLE {NAMESPACE}.made AS SELECT id * 10 AS id, upper(name) AS name FROM {NAMESPACE}.parts")
        both.same("made", ["id", "name"], [(10, "A"), (20, "Ü"), (30, None)])
    with report.check("trino: a name is taken once, and a schema with tables is kept"):
        both.refused(f"CREATE TABLE {NAMESPACE}.made (id bigint)", "already exists")
        both.refused(f"CREATE TABLE {NAMESPACE}.parts AS SELECT 1 AS id", "already exists")
        both.refused(f"DROP SCHEMA {NAMESPACE}", "cannot drop non-empty")


def check_given_keys(report, both):
    with report.check("trino: reads and writes with the S3 keys that the catalog gives it, and no other"):
        try:
            same(both.trino.query(f"SELECT id FROM given.{NAMESPACE}.made ORDER BY id"), [(10,), (20,), (30,)], "rows")
        except Refused as fault:
            if "Failed to initialize the vended credentials" in str(fault):
                raise Skip("it takes them only with a session token, and those of `se dev` have none") from fault
            raise
        both.run(f"INSERT INTO given.{NAMESPACE}.made (id) VALUES (40)")
        both.same("made", ["id"], [(10,), (20,), (30,), (40,)])


def check_views(report, both):
    catalog = both.pyiceberg.catalog
    with report.check("trino: CREATE VIEW, SELECT from it, and PyIceberg sees it"):
        both.run(f"CREATE VIEW {NAMESPACE}.few COMMENT 'few rows' AS SELECT id FROM {NAMESPACE}.parts WHERE id < 2")
        same((both.rows("few"), catalog.list_views(NAMESPACE)), ([(1,)], [(NAMESPACE, "few")]), "rows of the view, views that PyIceberg lists")
        assert catalog.view_exists((NAMESPACE, "few")) and not catalog.table_exists((NAMESPACE, "few"))
    with report.check("trino: CREATE OR REPLACE VIEW; both versions are kept"):
        both.run(f"CREATE OR REPLACE VIEW {NAMESPACE}.few AS SELECT id, name FROM {NAMESPACE}.parts WHERE id > 2")
        seen = catalog.load_view((NAMESPACE, "few"))
        same((both.rows("few"), len(seen.versions)), ([(3, None)], 2), "rows of the replaced view, its versions")
        assert "id > 2" in seen.sql_for("trino").sql, seen.sql_for("trino")
    with report.check("trino: a view's name is no table's"):
        both.refused(f"CREATE VIEW {NAMESPACE}.few AS SELECT 1 AS id", "already exists")
        both.refused(f"CREATE TABLE {NAMESPACE}.few (id bigint)", "already exists")
    with report.check("trino: ALTER VIEW RENAME"):
        both.run(f"ALTER VIEW {NAMESPACE}.few RENAME TO {NAMESPACE}.some")
        same((both.rows("some"), catalog.list_views(NAMESPACE)), ([(3, None)], [(NAMESPACE, "some")]), "rows of the renamed view, views")
        both.refused(f"SELECT * FROM {NAMESPACE}.few", "does not exist")
    with report.check("trino: DROP VIEW"):
        both.run(f"DROP VIEW {NAMESPACE}.some")
        same(catalog.list_views(NAMESPACE), [], "views that are left")
        both.refused(f"SELECT * FROM {NAMESPACE}.some", "does not exist")


LEFT = [(2, "two"), (3, "m3"), (6, "n6"), (20, "m20")]


def check_changes(report, both, version, deletes):
    """`deletes`: the file format in which Trino says which rows are gone."""
    table = f"{NAMESPACE}.rows{version}"
    with report.check(f"trino: UPDATE, DELETE and MERGE, v{version}"):
        both.run(f"CREATE TABLE {table} (id bigint, name varchar) WITH (format_version = {version})",
                 f"INSERT INTO {table} SELECT i, 'n' || CAST(i AS varchar) FROM UNNEST(sequence(1, 6)) r(i)")
        same(both.trino.query(f"UPDATE {table} SET name = 'two' WHERE id = 2"), [(1,)], "rows that UPDATE changed")
        same(both.trino.query(f"DELETE FROM {table} WHERE id IN (1, 5)"), [(2,)], "rows that DELETE took")
        same(both.trino.query(f"""MERGE INTO {table} t USING (VALUES (3, 'm3'), (4, 'gone'), (20, 'm20')) s(id, name) ON t.id = s.id
            WHEN MATCHED AND s.name = 'gone' THEN DELETE WHEN MATCHED THEN UPDATE SET name = s.name
            WHEN NOT MATCHED THEN INSERT (id, name) VALUES (s.id, s.name)"""), [(3,)], "rows that MERGE changed")
        same(both.rows(f"rows{version}"), sorted(LEFT, key=str), "rows that Trino reads")
    with report.check(f"trino: the table is of format v{version}, its deletes are in {deletes}"):
        same(both.load(f"rows{version}").metadata.format_version, version, "format version that PyIceberg reads")
        same(both.rows(f'"rows{version}$files"', "DISTINCT content, file_format"), [(0, "PARQUET"), (1, deletes)], "files")
    for reader in (both.pyiceberg, both.duckdb):
        with report.check(f"{reader.name}: reads the rows that Trino left, v{version}"):
            try:
                both.same(f"rows{version}", ["id", "name"], LEFT, reader)
            except OSError as fault:
                if version == 2 and reader is both.pyiceberg and "DeltaLengthByteArrayDecoder" in str(fault):
                    raise Skip("PyArrow cannot decode the position deletes that Trino writes") from fault
                raise
    with report.check(f"trino: the rows of the first snapshot, v{version}"):
        first = both.trino.query(f"SELECT snapshot_id FROM {NAMESPACE}.\"rows{version}$snapshots\" WHERE summary['total-records'] = '6' "
                                 "ORDER BY committed_at LIMIT 1")[0][0]
        same(both.rows(f"rows{version} FOR VERSION AS OF {first}", "count(*), min(name), max(name)"), [(6, "n1", "n6")], "rows of then")


def check_upkeep(report, both, version, s3):
    table, name = f"{NAMESPACE}.rows{version}", f"rows{version}"
    with report.check(f"trino: optimize takes the deletes away, v{version}"):
        both.run(f"ALTER TABLE {table} EXECUTE optimize")
        same(both.rows(f'"{name}$files"', "content, sum(record_count) OVER ()")[0], (0, 4), "files")
        same(both.rows(f'"{name}$files"', "DISTINCT content"), [(0,)], "kinds of files")
        both.same(name, ["id", "name"], LEFT)
    with report.check(f"trino: expire_snapshots leaves one, v{version}"):
        assert both.rows(f'"{name}$snapshots"', "count(*)")[0][0] > 4, "there were few snapshots"
        both.run(f"ALTER TABLE {table} EXECUTE expire_snapshots(retention_threshold => '0s')")
        same(both.rows(f'"{name}$snapshots"', "count(*)"), [(1,)], "snapshots")
        both.same(name, ["id", "name"], LEFT)
    with report.check(f"trino: remove_orphan_files takes the file that nobody knows and leaves the rows, v{version}"):
        place = urllib.parse.urlsplit(both.load(name).metadata.location)
        stray = f"{place.path[1:]}/data/stray.parquet"
        s3.put_object(Bucket=place.netloc, Key=stray, Body=b"stray")
        assert stray in objects(s3, place), "the file was not put"
        both.run(f"ALTER TABLE {table} EXECUTE remove_orphan_files(retention_threshold => '0s')")
        assert stray not in objects(s3, place), objects(s3, place)
        both.same(name, ["id", "name"], LEFT)


def objects(s3, place):
    return [found["Key"] for found in s3.list_objects_v2(Bucket=place.netloc, Prefix=place.path[1:] + "/").get("Contents", [])]


def check_evolution(report, both):
    table = f"{NAMESPACE}.evolving"
    with report.check("trino: ALTER TABLE adds, renames, widens and drops columns"):
        both.run(f"CREATE TABLE {table} (id integer, name varchar, gone double)", f"INSERT INTO {table} VALUES (1, 'a', 0.5)",
                 f"ALTER TABLE {table} ADD COLUMN extra varchar", f"ALTER TABLE {table} RENAME COLUMN name TO title",
                 f"ALTER TABLE {table} ALTER COLUMN id SET DATA TYPE bigint", f"ALTER TABLE {table} DROP COLUMN gone",
                 f"INSERT INTO {table} VALUES (3000000000, 'b', 'x')")
        both.same("evolving", ["id", "title", "extra"], [(1, "a", None), (3000000000, "b", "x")])
        same([field.name for field in both.load("evolving").schema().fields], ["id", "title", "extra"], "columns that PyIceberg sees")
    with report.check("trino: a dropped column's name comes back empty"):
        both.run(f"ALTER TABLE {table} ADD COLUMN gone double")
        both.same("evolving", ["id", "gone"], [(1, None), (3000000000, None)])
    with report.check("trino: ALTER TABLE gives the table partitions"):
        both.run(f"ALTER TABLE {table} SET PROPERTIES partitioning = ARRAY['title']", f"INSERT INTO {table} VALUES (2, 'a', 'y', 1.5)")
        both.same("evolving", ["id", "title", "gone"], [(1, "a", None), (2, "a", 1.5), (3000000000, "b", None)])
        same([str(field.transform) for field in both.load("evolving").spec().fields], ["identity"], "partitions that PyIceberg sees")
    with report.check("trino: ALTER TABLE RENAME, also into another schema"):
        both.run(f"ALTER TABLE {table} RENAME TO {NAMESPACE}.evolved", "CREATE SCHEMA other",
                 f"ALTER TABLE {NAMESPACE}.evolved RENAME TO other.evolved")
        same(both.trino.query("SELECT id FROM other.evolved ORDER BY id"), [(1,), (2,), (3000000000,)], "rows of the renamed table")
        same([both.pyiceberg.catalog.table_exists(name) for name in ((NAMESPACE, "evolving"), (NAMESPACE, "evolved"), ("other", "evolved"))],
             [False, False, True], "tables that PyIceberg sees")
        both.refused(f"SELECT * FROM {table}", "does not exist")
    with report.check("trino: DROP TABLE, DROP SCHEMA"):
        both.run("DROP TABLE other.evolved", "DROP SCHEMA other")
        same(both.pyiceberg.catalog.list_namespaces(), [(NAMESPACE,)], "namespaces that are left")


COLUMNS = ["id", "name", "price", "day", "at", "flag", "tags"]
WRITTEN = [(1, "ä", "12345.67", "2024-02-29", "2024-02-29 23:59:59.123456 UTC", True, ["a", "b"]),
           (2, "", "-0.01", "1969-12-31", "1969-12-31 23:59:59.999999 UTC", False, []), (3, None, None, None, None, None, None)]


def check_exchange(report, server, both):
    import pyarrow as pa
    shape = pa.schema({"id": pa.int64(), "name": pa.string(), "price": pa.decimal128(12, 2), "day": pa.date32(),
                       "at": pa.timestamp("us", "UTC"), "flag": pa.bool_(), "tags": pa.list_(pa.string())})
    values = [
        (1, "ä", decimal.Decimal("12345.67"), datetime.date(2024, 2, 29), datetime.datetime(2024, 2, 29, 23, 59, 59, 123456, UTC), True, ["a", "b"]),
        (2, "", decimal.Decimal("-0.01"), datetime.date(1969, 12, 31), datetime.datetime(1969, 12, 31, 23, 59, 59, 999999, UTC), False, []),
        (3, None, None, None, None, None, None)]
    with report.check("trino writes, PyIceberg reads: every value"):
        both.run(f"CREATE TABLE {NAMESPACE}.by_trino (id bigint, name varchar, price decimal(12, 2), day date, at timestamp(6) with time zone, "
                 "flag boolean, tags array(varchar))",
                 f"INSERT INTO {NAMESPACE}.by_trino VALUES (1, 'ä', 12345.67, DATE '2024-02-29', TIMESTAMP '2024-02-29 23:59:59.123456 UTC', "
                 "true, ARRAY['a', 'b']), (2, '', -0.01, DATE '1969-12-31', TIMESTAMP '1969-12-31 23:59:59.999999 UTC', false, ARRAY[]), "
                 "(3, NULL, NULL, NULL, NULL, NULL, NULL)")
        both.same("by_trino", COLUMNS, WRITTEN)
    with report.check("PyIceberg writes, Trino reads: every value"):
        made = both.pyiceberg.catalog.create_table((NAMESPACE, "by_pyiceberg"), schema=shape)
        made.append(pa.Table.from_pylist([dict(zip(COLUMNS, row)) for row in values], schema=shape))
        both.same("by_pyiceberg", COLUMNS, WRITTEN)
    with report.check("each changes the other's table"):
        both.run(f"DELETE FROM {NAMESPACE}.by_pyiceberg WHERE id = 2", f"INSERT INTO {NAMESPACE}.by_pyiceberg (id, name) VALUES (4, 'trino')")
        both.same("by_pyiceberg", ["id", "name"], [(1, "ä"), (3, None), (4, "trino")], both.duckdb)
        table = both.load("by_trino")
        table.delete("id = 1")
        table.append(pa.Table.from_pylist([{"id": 5, "name": "pyiceberg"}], schema=shape))
        both.same("by_trino", ["id", "name"], [(2, ""), (3, None), (5, "pyiceberg")])
    with report.check("rows sent by HTTP, Trino reads them"):
        http.expect(200, "POST", server.rows("dev", NAMESPACE, "sent", create="true", ack="committed"), b'{"id":1,"name":"x"}\n{"id":2}\n',
                    {"Content-Type": "application/x-ndjson"})
        both.same("sent", ["id", "name"], [(1, "x"), (2, None)])


class Crossing(Tap):
    """Lets `meanwhile` run once before the next commit of Trino's to the table gets through."""

    def __init__(self, port):
        super().__init__(port)
        self.table, self.meanwhile, self.fault = None, None, None

    def note(self, seen):
        left = super().note(seen)
        if self.meanwhile and self.commits(self.table):
            meanwhile, self.meanwhile = self.meanwhile, None
            try:
                meanwhile()
            except Exception as fault:
                self.fault = fault
        return left

    def commits(self, table):
        return self.count("POST", f"/namespaces/{NAMESPACE}/tables/{table}")

    def before_commit(self, table, meanwhile):
        self.table, self.meanwhile, self.fault = table, meanwhile, None

    def done(self):
        """AssertionError unless the other's commit came in between, and well."""
        assert self.meanwhile is None, "Trino made no commit"
        assert self.fault is None, self.fault


def check_conflicts(report, both, tap):
    import pyarrow as pa
    shape = pa.schema({"id": pa.int64(), "name": pa.string()})

    def table(name):
        both.pyiceberg.catalog.create_table((NAMESPACE, name), schema=shape).append(
            pa.Table.from_pylist([{"id": 1, "name": "a"}, {"id": 2, "name": "b"}], schema=shape))
        return both.load(name)

    with report.check("a commit of PyIceberg's comes between an INSERT of Trino's: Trino commits again, both rows are there"):
        other = table("met")
        tap.before_commit("met", lambda: other.append(pa.Table.from_pylist([{"id": 10, "name": "pyiceberg"}], schema=shape)))
        both.run(f"INSERT INTO {NAMESPACE}.met VALUES (11, 'trino')")
        tap.done()
        assert tap.commits("met") >= 2, f"Trino's commits: {tap.commits('met')}"
        both.same("met", ["id", "name"], [(1, "a"), (2, "b"), (10, "pyiceberg"), (11, "trino")])
    with report.check("PyIceberg rewrites the row that an UPDATE of Trino's changes: the UPDATE is refused and does nothing"):
        other = table("lost")
        tap.before_commit("lost", lambda: other.overwrite(
            pa.Table.from_pylist([{"id": 1, "name": "pyiceberg"}, {"id": 2, "name": "b"}], schema=shape)))
        both.refused(f"UPDATE {NAMESPACE}.lost SET name = 'trino' WHERE id = 1", "cannot commit, missing data files")
        tap.done()
        both.same("lost", ["id", "name"], [(1, "pyiceberg"), (2, "b")])


def check_end(report, both):
    with report.check("trino: DROP SCHEMA CASCADE leaves nothing"):
        both.run(f"DROP SCHEMA {NAMESPACE} CASCADE")
        same(both.pyiceberg.catalog.list_namespaces(), [], "namespaces that are left")


def check_all(report, server, folder):
    tap, trino = Crossing(server.port), None
    config = keys(server)
    with report.check("trino: starts"):
        trino = Trino(folder, f"http://127.0.0.1:{tap.port}/catalogs/dev", config)
    if trino is None:
        return
    with report.logs_of(trino):
        check_engine(report, server, trino, tap, config)
    trino.close()
    tap.close()


def check_engine(report, server, trino, tap, config):
    both = Both(trino, server.catalog())
    s3 = boto3.client("s3", endpoint_url=config["s3.endpoint"], aws_access_key_id=config["s3.access-key-id"],
                      aws_secret_access_key=config["s3.secret-access-key"], region_name=config["s3.region"])
    check_tables(report, both)
    check_given_keys(report, both)
    check_views(report, both)
    check_changes(report, both, 2, "PARQUET")
    check_changes(report, both, 3, "PUFFIN")
    for version in (2, 3):
        check_upkeep(report, both, version, s3)
    check_evolution(report, both)
    check_exchange(report, server, both)
    check_conflicts(report, both, tap)
    check_end(report, both)


def main():
    process.limit(FIRST_START_SECONDS + 300)
    report, folder = Report("trino"), places.scratch("trino")
    print(f"server log, Trino's log and data in {folder}", flush=True)
    with Server(folder) as server, report.logs_of(server):
        check_all(report, server, folder)
    return report.finish(folder)


if __name__ == "__main__":
    sys.exit(main())
