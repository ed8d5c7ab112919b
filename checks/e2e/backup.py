"""`se catalog export`, `import` and `recover` with the real jar over local folders: what engines read afterwards is what was written,
each row once, and ingestion goes on."""
import os
import shutil
import subprocess
import sys

import engines
from harness import http, moto, places, process
from harness.report import Report, same
from harness.server import FIRST_START_SECONDS, ServeServer, Server, secrets_key

NDJSON = {"Content-Type": "application/x-ndjson"}
BUCKET = "cluster"
LOG = "dev/objects/_se+/catalog+"


def se(server, verb, *words):
    """Exit code, standard output, errors of `se catalog` on the server's folder."""
    command = [places.LAUNCHER, "catalog", verb, *words, "--storage", f"local:{server.folder / 'data'}"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SE_")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=FIRST_START_SECONDS)
    return done.returncode, done.stdout, done.stderr


def se_on_s3(server, prefix, verb, *words):
    """As `se`, in the bucket of an S3 server."""
    command = [places.LAUNCHER, "catalog", verb, *words, "--storage", f"s3://{BUCKET}/{prefix}", "--s3.endpoint", server.s3.endpoint]
    environment = {**os.environ, **server.s3.environment}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=FIRST_START_SECONDS)
    assert done.returncode == 0, f"exit code {done.returncode}: {done.stderr}"
    return done.stdout


def must(server, verb, *words):
    code, out, err = se(server, verb, *words)
    assert code == 0, f"exit code {code}: {err}"
    return out


def refused(server, why, verb, *words):
    code, _, err = se(server, verb, *words)
    same(code, 2, "exit code")
    assert why in err, err


def write(server, table, ids, ack="committed"):
    body = b"".join(b'{"id":%d}\n' % number for number in ids)
    answer = http.expect(200, "POST", server.rows("dev", "shop", table, create="true", ack=ack), body, NDJSON)
    same(answer["accepted"], len(ids), "accepted")


def read_by_all(server, table, ids):
    """DuckDB and PyIceberg find these ids, each once."""
    for kind in (engines.DuckDb, engines.PyIceberg):
        engine = kind(server.catalog())
        try:
            found = sorted(row[0] for row in engine.query(f"SELECT id FROM {{shop.{table}}}"))
            same(found, sorted(ids), f"ids by {kind.name}")
        finally:
            engine.close()


def lose_log(server):
    """Deletes every object of the catalog's log."""
    folder = server.folder / "data" / "buckets" / LOG
    assert any(folder.rglob("*")), f"no log in {folder}"
    shutil.rmtree(folder)


def check_transfer(report, source, folder):
    file = folder / "dev.secatalog"
    with report.check("export: a running node has its folder alone, and says so"):
        source.start()
        write(source, "orders", range(100))
        write(source, "items", range(50))
        refused(source, "stop it first", "export", "--catalog", "dev", "--to", file)
        source.stop()
    with report.check("export: one file, never written over"):
        out = must(source, "export", "--catalog", "dev", "--to", file)
        assert "2 tables" in out and "Not in it" in out, out
        refused(source, "not overwritten", "export", "--catalog", "dev", "--to", file)
        source.start()
        write(source, "orders", range(100, 110))
        source.stop()
    target = Server(folder / "target", ["--ingest.commit-interval-ms", "200"])
    target.folder.mkdir()
    buckets = source.folder / "data" / "buckets"
    with report.check("import: a file that is cut short is refused, and nothing is made"):
        (folder / "short").write_bytes(file.read_bytes()[:-9])
        refused(target, "cut short", "import", "--from", folder / "short")
    with report.check("import: tables whose files are not there yet are named"):
        assert "2 metadata files are not in this storage" in must(target, "import", "--from", file), "not named"
        refused(target, "exists", "import", "--from", file)
    with report.check("import: with the bucket copied, engines read the rows as of the export, and ingestion goes on"):
        shutil.copytree(buckets, target.folder / "data" / "buckets", dirs_exist_ok=True,
                        ignore=shutil.ignore_patterns("_se+"))
        with target:
            read_by_all(target, "orders", range(100))
            read_by_all(target, "items", range(50))
            write(target, "orders", range(200, 210))
            read_by_all(target, "orders", [*range(100), *range(200, 210)])
    return [*range(110)]


def check_recover(report, server, ids):
    with report.check("recover: refuses where the log can be read"):
        refused(server, "can be read", "recover", "--catalog", "dev")
    with report.check("recover: after a clean stop every row is there once, and ingestion goes on"):
        lose_log(server)
        out = must(server, "recover", "--catalog", "dev", "--dry-run")
        assert "Would rebuild 2 tables" in out and "table shop.orders" in out, out
        must(server, "recover", "--catalog", "dev")
        server.start()
        read_by_all(server, "orders", ids)
        write(server, "orders", range(300, 320))
        ids = [*ids, *range(300, 320)]
        read_by_all(server, "orders", ids)
    with report.check("recover: after a kill it parks rows when told to, and none is in its table twice"):
        write(server, "items", range(50, 60))
        server.child.kill()
        lose_log(server)
        refused(server, "--park-rows", "recover", "--catalog", "dev")
        out = must(server, "recover", "--catalog", "dev", "--park-rows")
        assert "Parked 30 rows" in out, out
        server.start()
        read_by_all(server, "orders", ids)
        read_by_all(server, "items", range(60))
        write(server, "items", range(60, 70))
        server.stop()
        server.start()
        read_by_all(server, "items", range(70))
        parked = [path for path in (server.folder / "data" / "cluster" / "objects" / "parked+").rglob("*") if path.is_file()]
        assert parked, "nothing is parked"


def check_s3(report, folder):
    """A catalog on S3 is exported while its node works, and imported into another cluster storage of the same store."""
    folder = folder / "s3"
    for name in ("old", "new"):
        (folder / name).mkdir(parents=True)
    store, key = moto.Moto(folder, BUCKET), secrets_key()
    flags = ["--ingest.commit-interval-ms", "200"]
    old, new = (ServeServer(folder / name, store, BUCKET, name, key, flags) for name in ("old", "new"))
    new.command = lambda: [str(word).replace(f"s3://{BUCKET}/cluster", f"s3://{BUCKET}/other") for word in ServeServer.command(new)]
    with report.check("S3: an export while a node writes is a catalog of one moment; imported under another cluster it goes on"), old:
        http.expect(201, "POST", f"{old.base}/catalogs", {"catalog_id": "dev", "config": {"type": "native"}})
        write(old, "orders", range(100))
        must_have = se_on_s3(old, "cluster", "export", "--catalog", "dev", "--to", "s3://dev/exports/one")
        assert "1 tables" in must_have, must_have
        write(old, "orders", range(100, 110))
        out = se_on_s3(old, "other", "import", "--from", "s3://dev/exports/one", "--warehouse", "s3://copy/w")
        assert "Imported catalog dev" in out and "not in this storage" not in out, out
        with new:
            read_by_all(new, "orders", range(100))
            write(new, "more", range(5))
            read_by_all(new, "more", range(5))
        read_by_all(old, "orders", range(110))


def main():
    process.limit(FIRST_START_SECONDS + 600)
    report, folder = Report("backup"), places.scratch("backup")
    print(f"logs in {folder}", flush=True)
    (folder / "source").mkdir()
    source = Server(folder / "source", ["--ingest.commit-interval-ms", "200"])
    try:
        ids = check_transfer(report, source, folder)
        if not report.failed:
            check_recover(report, source, ids)
            check_s3(report, folder)
    finally:
        if report.failed:
            source.show_log()
        source.stop()
    return report.finish(folder)


if __name__ == "__main__":
    sys.exit(main())
