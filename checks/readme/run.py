"""Executes every example of the README, in order. A block's language says how: bash as a shell does, python, sql and spark with
the pinned clients (DuckDB's extensions and Spark's jars are the installed ones, in place of a download). `sh` blocks are the two
commands: the first starts the server here, the second is what runs all tests."""
import re
import subprocess
import sys

import duckdb
from harness import places, process, report

PORT = 7777
# What the README says to stop the server for.
ALONE = "./se catalog"
HOW = {}


def blocks():
    """(language, text) of each fenced block, the picture (no language) left out."""
    text = (places.ROOT / "README.md").read_text()
    return [(language, body) for language, body in re.findall(r"^```(\S*)\n(.*?)^```$", text, re.M | re.S) if language]


def how(language):
    def register(function):
        HOW[language] = function
        return function
    return register


def run_program(command, folder, text=None):
    done = subprocess.run(command, cwd=folder, input=text, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"exit code {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@how("bash")
def run_bash(body, folder):
    run_program(["bash", "-euo", "pipefail", "-c", body], folder)


@how("python")
def run_python(body, folder):
    shown = run_program([sys.executable, "-c", body], folder)
    assert "SE1" in shown and "SE2" in shown, f"the two rows are not in what was printed:\n{shown}"


@how("sql")
def run_sql(body, folder):
    install = "INSTALL iceberg; LOAD iceberg;"
    assert body.startswith(install), "the example installs its extension no more"
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    for extension in ("avro", "httpfs", "aws", "iceberg"):
        connection.execute(f"LOAD '{places.duckdb_extension(extension)}'")
    rows = connection.execute(body.removeprefix(install)).fetch_arrow_table()
    report.same(sorted(rows.column("flight").to_pylist()), ["SE1", "SE2"], "flights")


@how("spark")
def run_spark(body, folder):
    jars = sorted(places.SPARK_JARS.glob("*.jar"))
    if not jars:
        raise report.Skip("Spark's Iceberg jars could not be installed")
    local = re.sub(r"--packages \S+", "--jars " + ",".join(map(str, jars)), body)
    assert local != body, "the example names its packages no more"
    spark_bin = places.CACHE / "venv" / "bin"
    shown = run_program(["bash", "-euo", "pipefail", "-c", f"PATH={spark_bin}:$PATH\n{local}"], folder)
    assert "SE1" in shown and "SE2" in shown, f"the two rows are not in what was printed:\n{shown}"


def start_server(folder):
    """`./se dev`, as the README has it: in a folder of its own, on the port that it names. `./se` is there for the examples."""
    launcher = folder / "se"
    launcher.write_text(f'#!/bin/sh\nexec "{places.LAUNCHER}" "$@"\n')
    launcher.chmod(0o755)
    child = process.Child([places.LAUNCHER, "dev", "--storage", f"local:{folder / 'se-data'}"], folder / "server.log")
    process.wait_until("the port to listen", lambda: _listening(child), 900)
    return child


def _listening(child):
    if not child.alive():
        raise RuntimeError(f"the server ended while starting:\n{child.tail()}")
    return process.listening(PORT)


def main():
    checks = report.Report("readme")
    folder = places.scratch("readme")
    if process.listening(PORT):
        sys.exit(f"port {PORT} is in use: the README's examples name it, so stop what listens there")
    child = start_server(folder)
    for number, (language, body) in enumerate(blocks(), 1):
        if language == "sh":
            continue
        if body.startswith(ALONE):
            child.stop()
        with checks.check(f"example {number} ({language}): {body.splitlines()[0][:60]}"):
            HOW[language](body, folder)
    if checks.failed:
        print(child.tail())
    child.stop()
    sys.exit(checks.finish())


if __name__ == "__main__":
    main()
