"""Several writers at once: transactions over two tables (DuckDB), and appends to one table that the server puts on the head."""
import threading
import urllib.parse

from harness.report import same
from harness.tap import Tap

NAMESPACE = "shared"
WRITERS, APPENDS = 6, 5


def check(report, engines):
    named = {engine.name: engine for engine in engines}
    if len(named) < 3:
        report.skip("sharing", "DuckDB, PyIceberg and Spark are all needed, and one of them is not there")
        return
    named["pyiceberg"].catalog.create_namespace(NAMESPACE)
    check_transactions(report, named)
    check_appends(report, named)


def counts(engine, *tables):
    return [engine.query(f"SELECT count(*) FROM {{{NAMESPACE}.{table}}}")[0][0] for table in tables]


def check_transactions(report, named):
    pyiceberg = named["pyiceberg"]
    near = urllib.parse.urlsplit(pyiceberg.catalog.uri)
    tap = Tap(near.port)
    one, other = (type(named["duckdb"])(f"http://127.0.0.1:{tap.port}{near.path}") for _ in range(2))
    try:
        with report.check("duckdb: a transaction over two tables is one request, and both tables have it"):
            for table in ("debit", "credit"):
                one.query(f"CREATE TABLE {{{NAMESPACE}.{table}}} (id BIGINT)")
            write(one, "BEGIN", 1, "COMMIT")
            same((tap.count("POST", "/transactions/commit"), counts(pyiceberg, "debit", "credit")), (1, [1, 1]), "commits of transactions, rows")
        with report.check("duckdb: a transaction that is rolled back leaves both tables as they were"):
            write(one, "BEGIN", 2, "ROLLBACK")
            same((tap.count("POST", "/transactions/commit"), counts(pyiceberg, "debit", "credit")), (1, [1, 1]), "commits of transactions, rows")
        with report.check("duckdb: of two transactions that meet in one table the second does nothing in either"):
            write(one, "BEGIN", 3)
            other.query(f"INSERT INTO {{{NAMESPACE}.credit}} VALUES (30)")
            try:
                one.query("COMMIT")
            except Exception as lost:
                assert "409" in str(lost) or "conflict" in str(lost).lower(), lost
            else:
                raise AssertionError("the second transaction was taken")
            same(counts(pyiceberg, "debit", "credit"), [1, 2], "rows")
    finally:
        one.close()
        other.close()
        tap.close()


def write(duckdb, begin, number, end=None):
    for statement in (begin, f"INSERT INTO {{{NAMESPACE}.debit}} VALUES ({number})", f"INSERT INTO {{{NAMESPACE}.credit}} VALUES ({number})", end):
        if statement:
            duckdb.query(statement)


def check_appends(report, named):
    import pyarrow as pa
    pyiceberg, spark = named["pyiceberg"], named["spark"]
    shape = pa.schema([pa.field("id", pa.int64())])

    def pyiceberg_writer(table):
        own = type(pyiceberg)(pyiceberg.catalog.uri).catalog.load_table((NAMESPACE, table))

        def append(number):
            own.append(pa.Table.from_pylist([{"id": number}], schema=shape))
        return append

    def spark_writer(table):
        return lambda number: spark.session.sql(f"INSERT INTO dev.{NAMESPACE}.{table} VALUES ({number})").collect()

    for name, writer in (("pyiceberg", pyiceberg_writer), ("spark", spark_writer)):
        with report.check(f"{name}: {WRITERS} writers append to one table without a retry of their own, and every append lands once"):
            rates = []
            for table, rebases in ((f"{name}_plain", "false"), (f"{name}_rebased", "true")):
                pyiceberg.catalog.create_table((NAMESPACE, table), schema=shape, properties={
                    "se.commit.rebase-appends": rebases, "commit.retry.num-retries": "0", "format-version": "2"})
                done, lost = append_all(writer, table)
                wanted = [(number,) for number in sorted(done)]
                same([sorted(engine.query(f"SELECT id FROM {{{NAMESPACE}.{table}}}")) for engine in named.values()], [wanted] * 3, f"ids of {table}")
                rates.append(len(done) / (WRITERS * APPENDS))
            print(f"      {rates[0]:.0%} of appends land at the first try, {rates[1]:.0%} with se.commit.rebase-appends", flush=True)
            assert rates[0] < 0.95, "nobody met anybody: this shows nothing"
            assert rates[1] >= 0.95, lost[:2]


def append_all(writer, table):
    """The numbers that were appended, and why others were not."""
    done, lost, start = [], [], threading.Barrier(WRITERS)

    def work(first):
        append = writer(table)
        start.wait()
        for number in range(first, first + APPENDS):
            try:
                append(number)
                done.append(number)
            except Exception as fault:
                lost.append(str(fault)[:500])

    threads = [threading.Thread(target=work, args=(100 * number,)) for number in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return done, lost
