"""Where the tree, the cached clients and scratch space are."""
import os
import pathlib
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
CACHE = pathlib.Path(os.environ.get("CHECKS_CACHE") or pathlib.Path.home() / ".cache" / "storage-engine")
FLIGHTS = CACHE / "data" / "flights-3m.parquet"
KIT = CACHE / "kit"
SPARK_JARS = CACHE / "spark"

# The server under test: the launcher of this tree, or what CHECKS_LAUNCHER names.
LAUNCHER = pathlib.Path(os.environ.get("CHECKS_LAUNCHER") or ROOT / "se")


def scratch(name):
    """A new folder that the caller removes when all went well, so that what failed can be looked at."""
    return pathlib.Path(tempfile.mkdtemp(prefix=f"se-{name}-"))
