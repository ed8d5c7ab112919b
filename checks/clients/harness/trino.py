"""Trino in a process of its own, told one statement after the other."""
import json
import subprocess

from . import places, process
from .report import Skip

ENGINE = places.ROOT / "checks/clients/trino/Engine.java"
# What Trino's own launcher gives the JVM too; then what starts sooner on few cores.
FLAGS = ["--add-modules=jdk.incubator.vector", "--add-opens=java.base/java.nio=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow",
         "--enable-native-access=ALL-UNNAMED", "-Duser.timezone=UTC", "-Dfile.encoding=UTF-8", "-Xmx1g", "-XX:+UseSerialGC",
         "-XX:TieredStopAtLevel=1"]


class Refused(Exception):
    """Trino's answer to a statement that it could not carry out."""


class Trino(process.Child):
    """Its catalog `dev` is told the REST URI and the S3 `keys` of a table's configuration; its catalog `given` takes what keys the catalog
    gives it."""

    def __init__(self, folder, uri, keys):
        if not any(places.TRINO_JARS.glob("trino-iceberg-*.jar")):
            raise Skip("Trino's jars could not be installed")
        shared = {
            "iceberg.catalog.type": "rest", "iceberg.rest-catalog.uri": uri, "iceberg.rest-catalog.view-endpoints-enabled": "true",
            "iceberg.expire-snapshots.min-retention": "0s", "iceberg.remove-orphan-files.min-retention": "0s", "fs.s3.enabled": "true",
            "s3.endpoint": keys["s3.endpoint"], "s3.region": keys["s3.region"], "s3.path-style-access": "true"}
        catalogs = {"dev": {**shared, "s3.aws-access-key": keys["s3.access-key-id"], "s3.aws-secret-key": keys["s3.secret-access-key"]},
                    "given": {**shared, "iceberg.rest-catalog.vended-credentials-enabled": "true"}}
        self.command = [jdk25() + "/bin/java", *FLAGS, "-cp", f"{places.TRINO_JARS}/*", str(ENGINE),
                        *(f"{catalog}.{name}={value}" for catalog, properties in catalogs.items() for name, value in properties.items())]
        self.log = folder / "trino.log"
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True,
                                            encoding="utf-8", start_new_session=True)
        process.RUNNING.append(self)
        self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"Trino ended with {self.process.wait(30)}\n{self.tail(20)}")
        return json.loads(line)

    def query(self, sql):
        """The rows, as tuples; what JSON has no form for is text."""
        self.process.stdin.write(" ".join(sql.split()) + "\n")
        self.process.stdin.flush()
        answer = self.answer()
        if "error" in answer:
            raise Refused(f"{sql}: {answer['error']}")
        return [tuple(row) for row in answer["rows"]]

    def tail(self, lines=60):
        """As of the others: its level is in colours, and stack traces drown what went wrong too."""
        with open(self.log, errors="replace") as out:
            return "".join([line for line in out if "INFO" not in line and not line.startswith("\tat ")][-lines:])

    def show_log(self):
        print(f"---- last lines of {self.log}\n{self.tail()}----", flush=True)

    def close(self):
        """The end of its input ends it."""
        self.process.stdin.close()
        return self.process.wait(30)


def jdk25():
    """The home of the JDK that our own launcher takes."""
    found = subprocess.run(["bash", "-c", f". '{places.ROOT}/build/jdk25.sh' && find_jdk25"], stdout=subprocess.PIPE, text=True, check=True)
    return found.stdout.strip()
