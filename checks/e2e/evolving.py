"""What becomes of a table in its life: made from a query, renamed, its schema and partitioning changed, branches and tags put on it.

One engine does each step, the others read what came of it. Also: deletes of v3 are deletion vectors, and scans planned by the server.
"""
import urllib.parse

from harness.report import same
from harness.tap import Tap

NAMESPACE = "life"


def check(report, engines):
    named = {engine.name: engine for engine in engines}
    if len(named) < 3:
        report.skip("tables' lives", "DuckDB, PyIceberg and Spark are all needed, and one of them is not there")
        return
    spark, pyiceberg, duckdb = named["spark"], named["pyiceberg"], named["duckdb"]
    with report.check("lives: namespace"):
        pyiceberg.catalog.create_namespace(NAMESPACE)
    check_made_and_renamed(report, spark, pyiceberg, duckdb)
    check_schema(report, spark, pyiceberg, duckdb)
    check_partitions(report, spark, pyiceberg, duckdb)
    check_branches(report, spark, pyiceberg)
    check_vectors(report, spark, duckdb)
    check_planning(report, spark, pyiceberg)
    check_signing(report, spark, pyiceberg)


def rows(engine, table, columns="id, name"):
    return sorted(engine.query(f"SELECT {columns} FROM {{{NAMESPACE}.{table}}}"), key=str)


def run(engine, *statements):
    for statement in statements:
        engine.query(statement.replace("{t", "{" + NAMESPACE + ".t"))


def check_made_and_renamed(report, spark, pyiceberg, duckdb):
    wanted = [(0, "n0"), (1, "n1"), (2, "n2")]
    with report.check("duckdb: CREATE TABLE AS, which the others read"):
        run(duckdb, "CREATE TABLE {t_duck} AS SELECT i AS id, 'n' || i AS name FROM range(3) r(i)")
        same([rows(engine, "t_duck") for engine in (spark, pyiceberg, duckdb)], [wanted] * 3, "rows")
    with report.check("spark: CREATE TABLE AS, RENAME; REPLACE TABLE AS keeps the table and its history"):
        run(spark, "CREATE TABLE {t_made} USING iceberg TBLPROPERTIES ('format-version'='3') AS SELECT id, concat('n', id) AS name FROM range(3)",
            f"ALTER TABLE {{t_made}} RENAME TO {NAMESPACE}.t_renamed")
        same([rows(engine, "t_renamed") for engine in (spark, pyiceberg, duckdb)], [wanted] * 3, "rows")
        before = pyiceberg.catalog.load_table((NAMESPACE, "t_renamed")).metadata
        run(spark, "CREATE OR REPLACE TABLE {t_renamed} USING iceberg AS SELECT id FROM range(7)")
        after = pyiceberg.catalog.load_table((NAMESPACE, "t_renamed")).metadata
        same((after.table_uuid, len(after.snapshots), rows(duckdb, "t_renamed", "count(*)")), (before.table_uuid, 2, [(7,)]), "uuid, snapshots, rows")
    with report.check("pyiceberg: renames into another namespace; a name that is taken is refused"):
        pyiceberg.catalog.create_namespace(f"{NAMESPACE}2")
        pyiceberg.catalog.rename_table((NAMESPACE, "t_renamed"), (f"{NAMESPACE}2", "moved"))
        same((pyiceberg.catalog.table_exists((NAMESPACE, "t_renamed")), duckdb.query(f"SELECT count(*) FROM {{{NAMESPACE}2.moved}}")),
             (False, [(7,)]), "the old name, rows under the new one")
        refused(lambda: pyiceberg.catalog.rename_table((f"{NAMESPACE}2", "moved"), (NAMESPACE, "t_duck")), "exists")


def check_schema(report, spark, pyiceberg, duckdb):
    with report.check("spark: adds, renames, widens, reorders and drops columns, nested ones too; the others read every row"):
        run(spark, "CREATE TABLE {t_schema} (id int, name string, gone string, s struct<a: int>) USING iceberg TBLPROPERTIES ('format-version'='3')",
            "INSERT INTO {t_schema} VALUES (1, 'a', 'x', named_struct('a', 1))",
            "ALTER TABLE {t_schema} ADD COLUMNS (s.b string, price decimal(9,2))",
            "ALTER TABLE {t_schema} RENAME COLUMN name TO title",
            "ALTER TABLE {t_schema} ALTER COLUMN id TYPE bigint",
            "ALTER TABLE {t_schema} ALTER COLUMN price TYPE decimal(18,2)",
            "ALTER TABLE {t_schema} DROP COLUMN gone",
            "ALTER TABLE {t_schema} ALTER COLUMN title FIRST",
            "INSERT INTO {t_schema} (id, title, price, s) VALUES (9000000000, 'b', 1234567890123.45, named_struct('a', 2, 'b', 'y'))")
        columns = "id, title, CAST(price AS VARCHAR(30)), s.a, s.b"
        wanted = [(1, "a", None, 1, None), (9000000000, "b", "1234567890123.45", 2, "y")]
        same([rows(engine, "t_schema", columns) for engine in (spark, pyiceberg, duckdb)], [wanted] * 3, "rows")
    with report.check("pyiceberg: adds and drops columns and takes a name again; the old values do not come back"):
        with pyiceberg.catalog.load_table((NAMESPACE, "t_schema")).update_schema() as update:
            update.delete_column("price")
        with pyiceberg.catalog.load_table((NAMESPACE, "t_schema")).update_schema() as update:
            from pyiceberg.types import StringType
            update.add_column("price", StringType())
        same([rows(engine, "t_schema", "id, price") for engine in (spark, pyiceberg, duckdb)], [[(1, None), (9000000000, None)]] * 3, "rows")


def check_partitions(report, spark, pyiceberg, duckdb):
    with report.check("partitions: added, replaced and dropped by Spark and PyIceberg; files of every spec are read"):
        run(spark, "CREATE TABLE {t_parts} (id bigint, name string, day date) USING iceberg TBLPROPERTIES ('format-version'='2')",
            "INSERT INTO {t_parts} VALUES (1, 'a', DATE'1969-12-31')",
            "ALTER TABLE {t_parts} ADD PARTITION FIELD months(day)",
            "INSERT INTO {t_parts} VALUES (2, 'b', DATE'2024-02-29'), (3, 'c', NULL)",
            "ALTER TABLE {t_parts} REPLACE PARTITION FIELD day_month WITH bucket(4, id)",
            "INSERT INTO {t_parts} VALUES (4, 'd', DATE'2024-03-01')")
        with pyiceberg.catalog.load_table((NAMESPACE, "t_parts")).update_spec() as update:
            update.add_identity("name")
        run(spark, "INSERT INTO {t_parts} VALUES (5, 'é/ =', DATE'2024-03-02')")
        run(spark, "ALTER TABLE {t_parts} DROP PARTITION FIELD name", "DELETE FROM {t_parts} WHERE day = DATE'2024-02-29'")
        wanted = [(1, "a"), (3, "c"), (4, "d"), (5, "é/ =")]
        same([rows(engine, "t_parts") for engine in (spark, pyiceberg, duckdb)], [wanted] * 3, "rows")
        same(duckdb.query(f"SELECT id FROM {{{NAMESPACE}.t_parts}} WHERE name = 'é/ =' AND day > DATE '2024-03-01'"), [(5,)], "one partition's row")


def check_branches(report, spark, pyiceberg):
    with report.check("spark: a branch is written beside main and brought onto it; a tag keeps what it names"):
        run(spark, "CREATE TABLE {t_refs} (id bigint, name string) USING iceberg TBLPROPERTIES ('format-version'='3')",
            "INSERT INTO {t_refs} VALUES (1, 'a')",
            "ALTER TABLE {t_refs} CREATE TAG first RETAIN 30 DAYS", "ALTER TABLE {t_refs} CREATE BRANCH work")
        spark.query(f"INSERT INTO dev.{NAMESPACE}.t_refs.branch_work VALUES (2, 'b')")
        made = pyiceberg.catalog.load_table((NAMESPACE, "t_refs"))
        same([sorted(made.scan().use_ref(ref).to_arrow().column("id").to_pylist()) for ref in ("main", "work", "first")], [[1], [1, 2], [1]],
             "ids of main, the branch and the tag that PyIceberg reads")
        spark.query(f"CALL dev.system.fast_forward('{NAMESPACE}.t_refs', 'main', 'work')")
        same((rows(spark, "t_refs"), spark.query(f"SELECT id FROM dev.{NAMESPACE}.t_refs VERSION AS OF 'first'")), ([(1, "a"), (2, "b")], [(1,)]),
             "rows of main and of the tag")
        rows_seen = spark.query(f"SELECT _row_id, id FROM dev.{NAMESPACE}.t_refs")
        same(len({row_id for row_id, _ in rows_seen}), 2, "different row ids")
    with report.check("pyiceberg: tags and branches of its own; what is expired is not what a ref needs"):
        made = pyiceberg.catalog.load_table((NAMESPACE, "t_refs"))
        made.manage_snapshots().create_tag(made.current_snapshot().snapshot_id, "second").create_branch(made.current_snapshot().snapshot_id, "aside").commit()
        run(spark, "ALTER TABLE {t_refs} DROP BRANCH work", "INSERT INTO {t_refs} VALUES (3, 'c')")
        spark.query(f"CALL dev.system.expire_snapshots(table => '{NAMESPACE}.t_refs', older_than => TIMESTAMP '2200-01-01 00:00:00', retain_last => 1)")
        made = pyiceberg.catalog.load_table((NAMESPACE, "t_refs"))
        same(sorted(made.metadata.refs), ["aside", "first", "main", "second"], "refs")
        same([sorted(made.scan().use_ref(ref).to_arrow().column("id").to_pylist()) for ref in ("first", "second", "main")], [[1], [1, 2], [1, 2, 3]], "ids")


def check_vectors(report, spark, duckdb):
    with report.check("v3: deletes of Spark and DuckDB on one table are deletion vectors, one for each data file"):
        run(spark, """CREATE TABLE {t_vectors} (id bigint, name string) USING iceberg
            TBLPROPERTIES ('format-version'='3', 'write.delete.mode'='merge-on-read')""",
            "INSERT INTO {t_vectors} SELECT id, concat('n', id) FROM range(100)", "DELETE FROM {t_vectors} WHERE id < 10")
        run(duckdb, "DELETE FROM {t_vectors} WHERE id >= 95")
        run(spark, "DELETE FROM {t_vectors} WHERE id = 50")
        found = spark.query(f"SELECT file_format, count(*), count(DISTINCT referenced_data_file), sum(record_count) FROM dev.{NAMESPACE}.t_vectors.delete_files GROUP BY 1")
        same([(kind, files == named, rows) for kind, files, named, rows in found], [("PUFFIN", True, 16)], "deletes by format, one a file, rows deleted")
        same([engine.query(f"SELECT count(*), min(id), max(id) FROM {{{NAMESPACE}.t_vectors}}") for engine in (spark, duckdb)], [[(84, 10, 94)]] * 2, "what is left")


def check_planning(report, spark, pyiceberg):
    with report.check("scans that the server plans find the same rows (Spark, PyIceberg)"):
        near = urllib.parse.urlsplit(pyiceberg.catalog.uri)
        tap = Tap(near.port)
        uri = f"http://127.0.0.1:{tap.port}{near.path}"
        for key, value in {"": "org.apache.iceberg.spark.SparkCatalog", ".type": "rest", ".uri": uri, ".cache-enabled": "false",
                           ".scan-planning-mode": "server", ".rest-scan-planning-enabled": "true"}.items():
            spark.session.conf.set(f"spark.sql.catalog.planned{key}", value)
        same(sorted(row[0] for row in spark.session.sql(f"SELECT id FROM planned.{NAMESPACE}.t_parts WHERE id > 1").collect()), [3, 4, 5], "ids by Spark")
        assert tap.count("POST", "/plan") == 1, tap.requests
        from pyiceberg.catalog.rest import RestCatalog
        planned = RestCatalog("planned", uri=uri, **{"scan-planning-mode": "server"}).load_table((NAMESPACE, "t_refs"))
        # Not t_parts: PyIceberg 0.12 cannot read a planned file whose partition has a null.
        same(sorted(planned.scan(row_filter="id > 1").to_arrow().column("id").to_pylist()), [2, 3], "ids by PyIceberg")
        assert tap.count("POST", "/plan") == 2, tap.requests
        tap.close()


def check_signing(report, spark, pyiceberg):
    with report.check("spark: writes and reads with signatures that the server makes, and no keys"):
        near = urllib.parse.urlsplit(pyiceberg.catalog.uri)
        tap = Tap(near.port)
        for key, value in {"": "org.apache.iceberg.spark.SparkCatalog", ".type": "rest", ".uri": f"http://127.0.0.1:{tap.port}{near.path}",
                           ".cache-enabled": "false", ".header.X-Iceberg-Access-Delegation": "remote-signing"}.items():
            spark.session.conf.set(f"spark.sql.catalog.signed{key}", value)
        spark.session.sql(f"CREATE TABLE signed.{NAMESPACE}.t_signed USING iceberg AS SELECT id FROM range(10)")
        same(spark.session.sql(f"SELECT count(*) FROM signed.{NAMESPACE}.t_signed").collect()[0][0], 10, "rows")
        assert tap.count("POST", "/sign") > 0, tap.requests
        tap.close()


def refused(work, words):
    """AssertionError unless the work fails with these words."""
    try:
        work()
    except Exception as fault:
        assert words in str(fault).lower(), fault
        return
    raise AssertionError("was not refused")
