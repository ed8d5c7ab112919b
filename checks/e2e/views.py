"""Views: made, replaced, read, renamed and dropped by Spark and PyIceberg, each seen by the other."""
from harness import http
from harness.report import same

NAMESPACE = "shown"


def check(report, server, engines):
    named = {engine.name: engine for engine in engines}
    if "spark" not in named or "pyiceberg" not in named:
        report.skip("views", "Spark and PyIceberg are both needed, and one of them is not there")
        return
    spark, pyiceberg = named["spark"], named["pyiceberg"].catalog
    with report.check("views: a table to look at"):
        spark.query(f"CREATE SCHEMA IF NOT EXISTS dev.{NAMESPACE}")
        spark.query(f"CREATE TABLE {{{NAMESPACE}.base}} USING iceberg AS SELECT id, concat('n', id) AS name FROM range(5)")
    with report.check("spark: creates a view, selects from it, and PyIceberg sees it"):
        spark.query(f"CREATE VIEW {{{NAMESPACE}.few}} COMMENT 'few rows' AS SELECT id, name FROM {{{NAMESPACE}.base}} WHERE id < 2")
        same(rows(spark, "few"), [(0, "n0"), (1, "n1")], "rows of the view")
        same(pyiceberg.list_views(NAMESPACE), [(NAMESPACE, "few")], "views that PyIceberg lists")
        same(pyiceberg.list_tables(NAMESPACE), [(NAMESPACE, "base")], "tables that PyIceberg lists")
        assert pyiceberg.view_exists((NAMESPACE, "few")) and not pyiceberg.table_exists((NAMESPACE, "few"))
    with report.check("spark: replaces the view; both versions are kept"):
        spark.query(f"CREATE OR REPLACE VIEW {{{NAMESPACE}.few}} AS SELECT id, name FROM {{{NAMESPACE}.base}} WHERE id > 2")
        same(rows(spark, "few"), [(3, "n3"), (4, "n4")], "rows of the replaced view")
        seen = pyiceberg.load_view((NAMESPACE, "few"))
        same((seen.current_version().version_id, [version.version_id for version in seen.versions]), (2, [1, 2]), "versions")
        assert "id > 2" in seen.sql_for("spark").sql, seen.sql_for("spark")
    with report.check("spark: properties, SHOW VIEWS, DESCRIBE and SHOW CREATE TABLE"):
        spark.query(f"ALTER VIEW {{{NAMESPACE}.few}} SET TBLPROPERTIES ('k' = 'v')")
        same([row[1] for row in spark.query(f"SHOW VIEWS IN dev.{NAMESPACE}")], ["few"], "SHOW VIEWS")
        same([row[:2] for row in spark.query(f"DESCRIBE {{{NAMESPACE}.few}}")], [("id", "bigint"), ("name", "string")], "DESCRIBE")
        assert "'k' = 'v'" in spark.query(f"SHOW CREATE TABLE {{{NAMESPACE}.few}}")[0][0]
        same(pyiceberg.load_view((NAMESPACE, "few")).properties.get("k"), "v", "property that PyIceberg reads")
    with report.check("spark: a name is a table's or a view's"):
        refused(spark, f"CREATE TABLE {{{NAMESPACE}.few}} (id bigint) USING iceberg", "already exists")
        refused(spark, f"CREATE VIEW {{{NAMESPACE}.base}} AS SELECT 1 AS id", "already exists")
        refused(spark, f"DROP SCHEMA dev.{NAMESPACE}", "not empty")
        same(rows(spark, "base"), [(i, f"n{i}") for i in range(5)], "rows of the table")
    with report.check("spark: renames the view"):
        spark.query(f"ALTER VIEW {{{NAMESPACE}.few}} RENAME TO dev.{NAMESPACE}.some")
        same(rows(spark, "some"), [(3, "n3"), (4, "n4")], "rows of the renamed view")
        same(pyiceberg.list_views(NAMESPACE), [(NAMESPACE, "some")], "views that PyIceberg lists")
    with report.check("pyiceberg: creates a view that Spark reads, drops it and registers it again"):
        by_pyiceberg(pyiceberg, spark)
        location = http.expect(200, "GET", f"{server.catalog()}/v1/namespaces/{NAMESPACE}/views/py")["metadata-location"]
        pyiceberg.drop_view((NAMESPACE, "py"))
        assert not pyiceberg.view_exists((NAMESPACE, "py"))
        pyiceberg.register_view((NAMESPACE, "again"), location)
        same(rows(spark, "again"), [(4, "n4")], "rows of the registered view")
    with report.check("spark: drops the views, then all of the namespace"):
        spark.query(f"DROP VIEW {{{NAMESPACE}.again}}")
        spark.query(f"DROP VIEW {{{NAMESPACE}.some}}")
        same(pyiceberg.list_views(NAMESPACE), [], "views that are left")
        spark.query(f"DROP TABLE {{{NAMESPACE}.base}}")
        spark.query(f"DROP SCHEMA dev.{NAMESPACE}")


def by_pyiceberg(pyiceberg, spark):
    """Makes the view `py` for Spark."""
    from pyiceberg.schema import Schema
    from pyiceberg.types import LongType, NestedField, StringType
    from pyiceberg.view.metadata import SQLViewRepresentation, ViewVersion
    schema = Schema(NestedField(1, "id", LongType()), NestedField(2, "name", StringType()))
    text = SQLViewRepresentation(type="sql", sql=f"SELECT id, name FROM dev.{NAMESPACE}.base WHERE id = 4", dialect="spark")
    version = ViewVersion(schema_id=0, representations=[text], default_namespace=(NAMESPACE,), default_catalog="dev")
    pyiceberg.create_view((NAMESPACE, "py"), schema, version)
    same(rows(spark, "py"), [(4, "n4")], "rows of PyIceberg's view")


def rows(spark, view):
    return sorted(spark.query(f"SELECT id, name FROM {{{NAMESPACE}.{view}}}"))


def refused(spark, statement, words):
    """AssertionError unless Spark refuses the statement with these words."""
    try:
        spark.query(statement)
    except Exception as fault:
        assert words in str(fault).lower(), f"{statement}: {fault}"
        return
    raise AssertionError(f"was not refused: {statement}")
