"""Every engine creates, writes and reads a table of its own through our catalog; then all engines read all of them."""
from harness.report import same

# Table -> the rows it must hold in the end, by every engine. Filled by those who wrote it.
NAMESPACE = "own"


def check(report, engines):
    written = {}
    with report.check("own tables: namespace"):
        engines[0].query(f"CREATE SCHEMA IF NOT EXISTS dev.{NAMESPACE}") if engines[0].name != "pyiceberg" \
            else engines[0].catalog.create_namespace(NAMESPACE)
    for engine in engines:
        for table, write in WRITERS[engine.name].items():
            with report.check(f"{engine.name}: {write.__doc__} as {NAMESPACE}.{table}"):
                written[table] = write(engine, table)
                same(content(engine, table), written[table], f"{engine.name} reads {table}")
    for table, wanted in written.items():
        for engine in engines:
            with report.check(f"{engine.name}: reads {NAMESPACE}.{table}"):
                same(content(engine, table), wanted, table)


def content(engine, table):
    return sorted(tuple(row) for row in engine.query(f"SELECT id, name, day FROM {{{NAMESPACE}.{table}}}"))


def day(text):
    import datetime
    return datetime.date.fromisoformat(text)


def run(engine, table, *statements):
    for statement in statements:
        engine.query(statement.replace("{t}", f"{{{NAMESPACE}.{table}}}"))


def spark(version, mode):
    def write(engine, table):
        run(engine, table,
            f"""CREATE TABLE {{t}} USING iceberg TBLPROPERTIES ('format-version'='{version}', 'write.delete.mode'='{mode}',
                'write.update.mode'='{mode}', 'write.merge.mode'='{mode}')
                AS SELECT id, concat('n', id) AS name, date_add(DATE'1960-02-28', CAST(id AS int)) AS day FROM range(5)""",
            "INSERT INTO {t} VALUES (10, 'ten', DATE'2000-01-01'), (11, NULL, NULL)",
            "DELETE FROM {t} WHERE id = 1",
            "UPDATE {t} SET name = 'two' WHERE id = 2",
            """MERGE INTO {t} t USING (SELECT 3L AS id, 'm3' AS name UNION ALL SELECT 20L, 'm20' UNION ALL SELECT 10L, 'drop') s ON t.id = s.id
               WHEN MATCHED AND s.name = 'drop' THEN DELETE WHEN MATCHED THEN UPDATE SET name = s.name
               WHEN NOT MATCHED THEN INSERT (id, name, day) VALUES (s.id, s.name, DATE'1999-12-31')""")
        return [(0, "n0", day("1960-02-28")), (2, "two", day("1960-03-01")), (3, "m3", day("1960-03-02")),
                (4, "n4", day("1960-03-03")), (11, None, None), (20, "m20", day("1999-12-31"))]
    write.__doc__ = f"CTAS, INSERT, DELETE, UPDATE, MERGE, v{version}, {mode},"
    return write


def spark_partitioned(engine, table):
    """CREATE partitioned, INSERT, OVERWRITE, ADD COLUMN, v3,"""
    run(engine, table,
        "CREATE TABLE {t} (id bigint, name string, day date) USING iceberg PARTITIONED BY (bucket(4, id), months(day)) TBLPROPERTIES ('format-version'='3')",
        "INSERT INTO {t} VALUES (1, 'a', DATE'1969-12-31'), (2, 'ü', DATE'1970-01-01'), (3, NULL, NULL)",
        "ALTER TABLE {t} ADD COLUMN extra string",
        "INSERT INTO {t} VALUES (4, 'd', DATE'2024-02-29', 'x')",
        "DELETE FROM {t} WHERE day = DATE'1970-01-01'")
    return [(1, "a", day("1969-12-31")), (3, None, None), (4, "d", day("2024-02-29"))]


def duckdb_v2(engine, table):
    """CREATE TABLE, INSERT, DELETE, UPDATE, MERGE"""
    return duckdb_write(engine, table, "")


def duckdb_v3(engine, table):
    """CREATE TABLE v3, INSERT, DELETE, UPDATE, MERGE"""
    return duckdb_write(engine, table, " WITH ('format-version' = '3')")


def duckdb_write(engine, table, options):
    run(engine, table,
        f"CREATE TABLE {{t}} (id BIGINT, name VARCHAR, day DATE){options}",
        "INSERT INTO {t} SELECT i, 'n' || i, DATE '1960-02-28' + i::INT FROM range(5) r(i)",
        "INSERT INTO {t} VALUES (10, 'ten', DATE '2000-01-01'), (11, NULL, NULL)",
        "DELETE FROM {t} WHERE id = 1",
        "UPDATE {t} SET name = 'two' WHERE id = 2",
        """MERGE INTO {t} t USING (VALUES (3, 'm3'), (20, 'm20')) s(id, name) ON t.id = s.id
           WHEN MATCHED THEN UPDATE SET name = s.name WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.name, DATE '1999-12-31')""")
    return [(0, "n0", day("1960-02-28")), (2, "two", day("1960-03-01")), (3, "m3", day("1960-03-02")), (4, "n4", day("1960-03-03")),
            (10, "ten", day("2000-01-01")), (11, None, None), (20, "m20", day("1999-12-31"))]


def pyiceberg_v2(engine, table):
    """create, append, overwrite, delete, upsert, add column (it writes v2 only)"""
    import pyarrow as pa
    from pyiceberg.expressions import EqualTo
    shape = pa.schema([pa.field("id", pa.int64(), nullable=False), pa.field("name", pa.string()), pa.field("day", pa.date32())])

    def rows(*values):
        return pa.Table.from_pylist([dict(zip(("id", "name", "day"), value)) for value in values], schema=shape)

    made = engine.catalog.create_table((NAMESPACE, table), schema=shape, properties={"format-version": "2"})
    made.append(rows((1, "a", day("1969-12-31")), (2, "b", None), (3, "c", day("2024-02-29"))))
    made.append(rows((4, None, None)))
    made.delete(EqualTo("id", 2))
    made.overwrite(rows((3, "c2", day("2024-03-01"))), overwrite_filter=EqualTo("id", 3))
    made.upsert(rows((1, "ä", day("1900-01-01")), (9, "new", None)), join_cols=["id"])
    with made.update_schema() as update:
        from pyiceberg.types import StringType
        update.add_column("extra", StringType())
    return [(1, "ä", day("1900-01-01")), (3, "c2", day("2024-03-01")), (4, None, None), (9, "new", None)]


WRITERS = {
    "spark": {"spark_v2": spark(2, "merge-on-read"), "spark_v3": spark(3, "merge-on-read"), "spark_v3_cow": spark(3, "copy-on-write"),
              "spark_partitioned": spark_partitioned},
    "duckdb": {"duckdb_v2": duckdb_v2, "duckdb_v3": duckdb_v3},
    "pyiceberg": {"pyiceberg_v2": pyiceberg_v2},
}
