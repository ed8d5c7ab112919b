"""Spark, PyIceberg and DuckDB behind one small interface. Each is told the REST URI, a token where one is asked for, and nothing else.

`query(sql)` runs SQL in which `{ns.table}` stands for a table of our catalog and `{micros:column}` for the
microseconds of a timestamp since 1970. `read(ns, table, columns)` gives rows as dictionaries of Python values.
"""
import json
import os
import re

from harness import places
from harness.report import Skip

TABLE = re.compile(r"\{(\w+)\.(\w+)\}")
MICROS = re.compile(r"\{micros:(\w+)\}")


class DuckDb:
    name = "duckdb"

    def __init__(self, uri, token=None):
        import duckdb
        self.connection = duckdb.connect(config={"allow_unsigned_extensions": "true", "threads": "2"})
        self.connection.execute("SET TimeZone = 'UTC'")
        for extension in ("avro", "httpfs", "aws", "iceberg"):
            self.connection.execute(f"LOAD '{places.duckdb_extension(extension)}'")
        who = f"TOKEN '{token}'" if token else "AUTHORIZATION_TYPE 'none'"
        self.connection.execute(f"ATTACH '' AS dev (TYPE iceberg, ENDPOINT '{uri}', {who})")

    def run(self, sql):
        """The open result of `sql`."""
        return self.connection.execute(MICROS.sub(r"epoch_us(\1)", TABLE.sub(r'dev."\1"."\2"', sql)))

    def query(self, sql):
        return self.run(sql).fetchall()

    def read(self, namespace, table, columns):
        names = ", ".join(f"{name}::JSON::VARCHAR AS {name}" if name == "variant" else f'"{name}"' for name in columns)
        return variants(arrow_rows(self.run(f"SELECT {names} FROM {{{namespace}.{table}}}").to_arrow_table()))

    def close(self):
        self.connection.close()


class PyIceberg:
    """It has no SQL of its own: what it reads is handed to an in-memory DuckDB as Arrow."""
    name = "pyiceberg"

    def __init__(self, uri, token=None, **properties):
        import duckdb
        from pyiceberg.catalog.rest import RestCatalog
        self.catalog = RestCatalog("dev", uri=uri, **({"token": token} if token else {}), **properties)
        self.sql = duckdb.connect()
        self.sql.execute("SET TimeZone = 'UTC'")

    def query(self, sql):
        for namespace, table in set(TABLE.findall(sql)):
            self.sql.register(f"{namespace}__{table}", self.catalog.load_table((namespace, table)).scan().to_arrow())
        return self.sql.execute(MICROS.sub(r"epoch_us(\1)", TABLE.sub(r'"\1__\2"', sql))).fetchall()

    def read(self, namespace, table, columns):
        return arrow_rows(self.catalog.load_table((namespace, table)).scan(selected_fields=tuple(columns)).to_arrow())

    def close(self):
        self.sql.close()


class Spark:
    name = "spark"

    def __init__(self, uri, token=None):
        jars = sorted(str(jar) for jar in places.SPARK_JARS.glob("*.jar"))
        if len(jars) < 2:
            raise Skip("Spark's Iceberg jars could not be installed")
        os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
        from pyspark.sql import SparkSession
        settings = {
            "spark.jars": ",".join(jars), "spark.driver.memory": "2g", "spark.ui.enabled": "false", "spark.log.level": "OFF",
            "spark.sql.session.timeZone": "UTC", "spark.sql.shuffle.partitions": "2", "spark.driver.extraJavaOptions": "-Duser.timezone=UTC",
            "spark.ui.showConsoleProgress": "false", "spark.driver.host": "127.0.0.1",
            "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
            "spark.sql.catalog.dev": "org.apache.iceberg.spark.SparkCatalog", "spark.sql.catalog.dev.type": "rest",
            "spark.sql.catalog.dev.cache-enabled": "false", "spark.sql.catalog.dev.uri": uri}
        if token:
            settings["spark.sql.catalog.dev.token"] = token
        builder = SparkSession.builder.master("local[2]").appName("e2e")
        for key, value in settings.items():
            builder = builder.config(key, value)
        self.session = builder.getOrCreate()

    def query(self, sql):
        text = MICROS.sub(r"unix_micros(\1)", TABLE.sub(r"dev.`\1`.`\2`", sql))
        return [tuple(row) for row in self.session.sql(text).collect()]

    def read(self, namespace, table, columns):
        names = ", ".join(f"to_json({name}) AS {name}" if name == "variant" else f"`{name}`" for name in columns)
        return variants([row.asDict() for row in self.session.sql(f"SELECT {names} FROM dev.`{namespace}`.`{table}`").collect()])

    def close(self):
        self.session.stop()


def variants(rows):
    """The rows with a column `variant`, read as JSON text, as values."""
    return [{**row, "variant": json.loads(row["variant"])} if row.get("variant") is not None else row for row in rows]


def arrow_rows(table):
    """Rows as dictionaries; nanosecond columns as integers, since Python's own times stop at microseconds."""
    import pyarrow
    for number, field in enumerate(table.schema):
        if pyarrow.types.is_timestamp(field.type) and field.type.unit == "ns":
            table = table.set_column(number, field.name, table.column(number).cast(pyarrow.int64()))
    return table.to_pylist()


ENGINES = [DuckDb, PyIceberg, Spark]
