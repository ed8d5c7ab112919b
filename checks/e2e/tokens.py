"""Bearer tokens: `se serve` asks for them, `se tokens` makes and revokes them, Spark, PyIceberg and DuckDB send them; what one tenant's
token opens is nothing of another's."""
import os
import subprocess
import sys

import engines
from harness import http, moto, places, process
from harness.report import Report, same
from harness.server import FIRST_START_SECONDS, ServeServer, secrets_key

BUCKET = "cluster"
ROWS = b'{"id":1}\n{"id":2}\n'
NDJSON = {"Content-Type": "application/x-ndjson"}


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


class Tokens:
    """`se tokens` on the storage, or by the node with the administrator's token."""

    def __init__(self, server):
        self.server, self.made = server, []

    def run(self, place, *words, token=""):
        """What it printed for scripts."""
        where = {"storage": ["--storage", f"s3://{BUCKET}/cluster", "--s3.endpoint", self.server.s3.endpoint],
                 "server": ["--server", self.server.base]}[place]
        environment = {**os.environ, **self.server.environment, "SE_AUTH_TOKEN": token}
        environment.pop("SE_SECRETS_KEY")
        done = subprocess.run([places.LAUNCHER, "tokens", *words, *where], env=environment, capture_output=True, text=True,
                              timeout=FIRST_START_SECONDS)
        assert done.returncode == 0, f"exit code {done.returncode}: {done.stderr}"
        return done.stdout

    def create(self, place, principal, *rights, token=""):
        words = [word for right in rights for word in ("--right", right)]
        made = self.run(place, "create", "--principal", principal, *words, token=token).strip()
        self.made.append(made)
        return made


def refused(status, kind, method, url, token=None, body=None):
    """The answer is a refusal in Iceberg's form."""
    answer = http.request(method, url, body, {**NDJSON, **(bearer(token) if token else {})})
    same((answer.status, answer.json()["error"]["type"], answer.json()["error"]["code"]), (status, kind, status), f"{method} {url}")
    if status == 401:
        assert answer.headers["WWW-Authenticate"].startswith("Bearer"), answer.headers


def check_start(report, server, tokens):
    with report.check("the first token is made on the storage, and the node that starts on it knows it"):
        root = tokens.create("storage", "root", "*:admin")
        server.start()
        for name in ("mine", "theirs"):
            body = {"catalog_id": name, "config": {"type": "native"}}
            refused(401, "NotAuthorizedException", "POST", f"{server.base}/catalogs", body=b"{}")
            http.expect(201, "POST", f"{server.base}/catalogs", body, bearer(root))
        return root


def check_rows(report, server, writer, reader, other):
    url = server.rows("mine", "ns", "t", create="true", ack="committed")
    with report.check("rows: 401 without a token, 403 with one that may not, taken with one that may"):
        refused(401, "NotAuthorizedException", "POST", url, None, ROWS)
        refused(401, "NotAuthorizedException", "POST", url, "se_" + "0" * 16 + "_" + "0" * 64, ROWS)
        for token in (reader, other):
            refused(403, "ForbiddenException", "POST", url, token, ROWS)
        same(http.expect(200, "POST", url, ROWS, {**NDJSON, **bearer(writer)})["accepted"], 2, "accepted")
    with report.check("another tenant's catalog answers as one that is not there"):
        for name in ("mine", "nope"):
            for method, path in (("GET", "/v1/config"), ("GET", "/v1/namespaces"), ("DELETE", ""), ("POST", "/v1/namespaces")):
                refused(403, "ForbiddenException", method, f"{server.base}/catalogs/{name}{path}", other, b"{}")


def check_pyiceberg(report, server, writer, reader, other):
    from pyiceberg.exceptions import ForbiddenError, UnauthorizedError
    with report.check("pyiceberg: creates, appends and reads with a token that may write"):
        catalog = engines.PyIceberg(server.catalog("mine"), writer).catalog
        rows = catalog.load_table("ns.t").scan().to_arrow()
        table = catalog.create_table("ns.own", rows.schema, properties={"format-version": "2"})
        table.append(rows)
        same(sorted(table.scan().to_arrow().column("id").to_pylist()), [1, 2], "ids")
    with report.check("pyiceberg: a token that may read gets no keys; with keys of its own it reads, and cannot commit"):
        keys = {name: table.io.properties[name] for name in ("s3.access-key-id", "s3.secret-access-key")}
        assert not engines.PyIceberg(server.catalog("mine"), reader).catalog.load_table("ns.own").io.properties.keys() & keys.keys()
        table = engines.PyIceberg(server.catalog("mine"), reader, **keys).catalog.load_table("ns.own")
        same(table.scan().to_arrow().num_rows, 2, "rows")
        raises(ForbiddenError, lambda: table.append(table.scan().to_arrow()))
    with report.check("pyiceberg: another tenant's token and none at all are told so"):
        raises(ForbiddenError, lambda: engines.PyIceberg(server.catalog("mine"), other))
        raises(UnauthorizedError, lambda: engines.PyIceberg(server.catalog("mine")))


def raises(kind, action):
    try:
        action()
    except kind:
        return
    raise AssertionError(f"no {kind.__name__}")


def check_engine(report, kind, server, writer):
    with report.check(f"{kind.name}: reads and inserts with a token"):
        engine = kind(server.catalog("mine"), writer)
        try:
            before = engine.query("SELECT count(*) FROM {ns.t}")[0][0]
            (engine.run if kind is engines.DuckDb else engine.query)("INSERT INTO {ns.t} VALUES (3)")
            same(engine.query("SELECT count(*) FROM {ns.t}")[0][0], before + 1, "rows")
        finally:
            engine.close()


def check_revoke(report, server, tokens, root, writer):
    with report.check("a token that is revoked on the storage opens nothing within ten seconds"):
        http.expect(200, "GET", f"{server.catalog('mine')}/v1/namespaces", None, bearer(writer))
        tokens.run("storage", "revoke", writer.split("_")[1])
        url = f"{server.catalog('mine')}/v1/namespaces"
        process.wait_until("401", lambda: http.get(url, headers=bearer(writer)).status == 401, 10)
    with report.check("no token is in the list, in the node's log or in the bucket"):
        listed = tokens.run("server", "list", token=root)
        assert "reader  mine:read" in listed and "writer" not in listed, listed
        client = server.s3.client()
        keys = [entry["Key"] for page in client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET) for entry in page["Contents"]]
        assert any(key.startswith("cluster/tokens/") for key in keys), keys
        texts = [client.get_object(Bucket=BUCKET, Key=key)["Body"].read() for key in keys]
        texts += [listed.encode(), server.child.log.read_bytes()]
        for token in tokens.made:
            assert not any(token.split("_")[2].encode() in text for text in texts), "a secret is where it must not be"


def main():
    process.limit(FIRST_START_SECONDS + 600)
    report, folder = Report("tokens"), places.scratch("tokens")
    print(f"logs in {folder}", flush=True)
    server = ServeServer(folder, moto.Moto(folder, BUCKET), BUCKET, "node", secrets_key(), ["--ingest.commit-interval-ms", "1000"], asks=True)
    tokens = Tokens(server)
    try:
        root = check_start(report, server, tokens)
        if root:
            writer = tokens.create("server", "writer", "mine:write", token=root)
            reader = tokens.create("server", "reader", "mine:read", token=root)
            other = tokens.create("server", "other", "theirs:admin", token=root)
            check_rows(report, server, writer, reader, other)
            check_pyiceberg(report, server, writer, reader, other)
            for kind in (engines.DuckDb, engines.Spark):
                check_engine(report, kind, server, writer)
            check_revoke(report, server, tokens, root, writer)
    finally:
        if report.failed:
            server.show_log()
        server.stop()
    return report.finish(folder)


if __name__ == "__main__":
    sys.exit(main())
