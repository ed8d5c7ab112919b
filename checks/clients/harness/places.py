"""Where the tree, the cached clients and scratch space are."""
import importlib.util
import os
import pathlib
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
CACHE = pathlib.Path(os.environ.get("CHECKS_CACHE") or pathlib.Path.home() / ".cache" / "storage-engine")
FLIGHTS = CACHE / "data" / "flights-3m.parquet"
KIT = CACHE / "kit"
SPARK_JARS = CACHE / "spark"
TRINO_JARS = CACHE / "trino"

# The server under test: the launcher of this tree, or what CHECKS_LAUNCHER names.
LAUNCHER = pathlib.Path(os.environ.get("CHECKS_LAUNCHER") or ROOT / "se")


def scratch(name):
    """A new folder that the caller removes when all went well, so that what failed can be looked at."""
    return pathlib.Path(tempfile.mkdtemp(prefix=f"se-{name}-"))


def duckdb_extension(name):
    """The file of an extension that came as a Python package, since DuckDB cannot download its own everywhere."""
    import duckdb
    from .report import Skip
    package = importlib.util.find_spec(f"duckdb_extension_{name}")
    if package is None:
        raise Skip(f"the DuckDB extension {name} could not be installed")
    return pathlib.Path(package.origin).parent / "extensions" / f"v{duckdb.__version__}" / f"{name}.duckdb_extension"
