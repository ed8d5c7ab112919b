"""A catalog that is not ours: registered as type `rest`, filled by our ingestion, read by PyIceberg directly at the upstream.

The upstream is the reference REST server with its warehouse on a moto S3 server. Then it is killed: what is answered
must be clean, name no backend, and nothing that was acknowledged may be lost once it is back.
"""
import json
import sys
import uuid

from harness import http, moto, places, process, upstream
from harness.report import Report, same
from harness.server import Server

ROWS = 20_000
NDJSON = {"Content-Type": "application/x-ndjson"}


def body(first, count):
    return "".join(json.dumps({"id": number, "name": f"n{number % 100}", "at": f"1969-12-31T23:59:{number % 60:02d}.5Z", "x": number / 4})
                   + "\n" for number in range(first, first + count)).encode()


def registration(fixture, name="up"):
    return {"catalog_id": name, "config": {"type": "rest", "uri": fixture.uri, "warehouse": f"s3://{upstream.BUCKET}/warehouse",
                                           "properties": fixture.storage}}


def at_upstream(fixture):
    """PyIceberg at the upstream itself; our server has no part in it."""
    from pyiceberg.catalog.rest import RestCatalog
    return RestCatalog("upstream", uri=fixture.uri, **fixture.storage)


def ids_at_upstream(fixture, table):
    return sorted(at_upstream(fixture).load_table(("demo", table)).scan().to_arrow().column("id").to_pylist())


def wait_for_ids(fixture, table, count):
    process.wait_until(f"{count} rows at the upstream", lambda: len(ids_at_upstream(fixture, table)) >= count, 60, every=1)
    same(ids_at_upstream(fixture, table), list(range(count)), "ids")


def send(server, table, first, count, ack="committed", key=None):
    headers = {**NDJSON, **({"Idempotency-Key": key} if key else {})}
    return http.request("POST", server.rows("up", "demo", table, create="true", ack=ack), body(first, count), headers, seconds=120)


def check_clean(answer, statuses):
    """Iceberg's error form with one of these codes; nothing of the backend in it."""
    assert answer.status in statuses, f"wanted one of {statuses}, got {answer!r}"
    error = answer.json()["error"]
    same(error["code"], answer.status, "error.code")
    same(error.get("stack") or [], [], "error.stack")
    for told in (moto.KEYS["secret"], "Exception:", "Connection refused"):
        assert told not in error["message"], f"says too much: {error}"


def check_registered(report, server, fixture):
    with report.check("registers the upstream, and shows no secret"):
        http.expect(201, "POST", f"{server.base}/catalogs", registration(fixture))
        shown = http.get(f"{server.base}/catalogs/up")
        same(shown.status, 200, "GET /catalogs/up")
        same(shown.json()["name"], "catalogs/up", "name")
        config = http.get(f"{server.catalog('up')}/v1/config")
        same(config.status, 200, "config")
        assert moto.KEYS["secret"] not in config.body.decode(), "the secret is shown in /v1/config"
    with report.check("an upstream that nobody serves can be registered, answers cleanly, and can be forgotten"):
        nowhere = {"catalog_id": "nowhere", "config": {"type": "rest", "uri": f"http://127.0.0.1:{process.free_port()}"}}
        http.expect(201, "POST", f"{server.base}/catalogs", nowhere)
        check_clean(http.get(f"{server.catalog('nowhere')}/v1/namespaces"), (500, 502, 503, 504))
        same(http.request("DELETE", f"{server.base}/catalogs/nowhere").status, 204, "DELETE")
    with report.check("its REST paths are the upstream's"):
        http.expect(200, "POST", f"{server.catalog('up')}/v1/namespaces", {"namespace": ["proxied"]})
        assert ("proxied",) in at_upstream(fixture).list_namespaces(), "a namespace made through us is not at the upstream"
        same(http.get(f"{server.catalog('up')}/v1/namespaces/nowhere").status, 404, "an absent namespace")


def check_ingestion(report, server, fixture):
    with report.check(f"{ROWS} rows, ack=committed, are in a snapshot of the upstream"):
        answer = send(server, "flights", 0, ROWS)
        same(answer.status, 200, repr(answer))
        table = at_upstream(fixture).load_table(("demo", "flights"))
        same(answer.json()["snapshot-id"], table.current_snapshot().snapshot_id, "snapshot-id")
        same(ids_at_upstream(fixture, "flights"), list(range(ROWS)), "ids")
        found = table.scan(row_filter="id == 61").to_arrow().to_pylist()[0]
        same((found["name"], found["at"].isoformat(), found["x"]), ("n61", "1969-12-31T23:59:01.500000+00:00", 15.25), "row 61")
    with report.check("rows sent with ack=durable follow by themselves"):
        same(send(server, "flights", ROWS, 1000, ack="durable").status, 200, "status")
        wait_for_ids(fixture, "flights", ROWS + 1000)
    with report.check("a repeat with the same Idempotency-Key adds nothing"):
        key = str(uuid.uuid4())
        first, second = (send(server, "keyed", 0, 500, key=key) for _ in range(2))
        same((first.status, first.json()), (second.status, second.json()), "the two answers")
        same(ids_at_upstream(fixture, "keyed"), list(range(500)), "ids")
    with report.check("a channel: repeats are passed over, gaps refused, across a kill -9"):
        check_channel(server, fixture)
    with report.check("commits of another writer at the upstream are respected"):
        other = at_upstream(fixture)
        other.load_table(("demo", "flights")).transaction().set_properties({"touched": "yes"}).commit_transaction()
        same(send(server, "flights", ROWS + 1000, 1000).status, 200, "status")
        same(other.load_table(("demo", "flights")).properties["touched"], "yes", "the other's property")
        same(ids_at_upstream(fixture, "flights"), list(range(ROWS + 2000)), "ids")


def check_channel(server, fixture):
    same(send(server, "numbered", 0, 1).status, 200, "a first row makes the table")
    table = f"{server.catalog('up')}/v1/namespaces/demo/tables/numbered"

    def rows(offset, count):
        url = f"{table}/rows?channel=c&epoch=1&offset={offset}"
        return http.request("POST", url, body(offset + 1, count), NDJSON, seconds=120)

    same(http.request("POST", f"{table}/channels/c").json()["epoch"], 1, "the first opening")
    same(rows(0, 300).json()["durable"], 300, "durable")
    server.child.kill()
    server.start()
    told = rows(100, 400).json()
    same((told["repeated"], told["accepted"], told["durable"]), (200, 200, 500), "a repeat that goes on, after the kill")
    same(rows(600, 1).status, 409, "a gap")
    same(http.request("POST", f"{table}/channels/c/close").json()["committed"], 500, "closed")
    same(ids_at_upstream(fixture, "numbered"), list(range(501)), "ids")
    reopened = http.request("POST", f"{table}/channels/c").json()
    same((reopened["epoch"], reopened["durable"]), (2, 500), "opened again")


def check_outage(report, server, fixture):
    fixture.child.kill()
    with report.check("upstream gone: the REST paths answer cleanly"):
        check_clean(http.get(f"{server.catalog('up')}/v1/namespaces"), (500, 502, 503, 504))
        check_clean(http.get(f"{server.catalog('up')}/v1/namespaces/demo/tables/flights"), (500, 502, 503, 504))
    with report.check("upstream gone: a first request for an unknown table is refused cleanly, health stays"):
        check_clean(send(server, "never", 0, 10), (429, 500, 502, 503, 504))
        same(http.get(f"{server.base}/health").status, 200, "health")
        same(http.get(f"{server.catalog('dev')}/v1/namespaces").status, 200, "the other catalog")
    with report.check("upstream gone: rows are refused cleanly or kept, and kept ones arrive when it is back"):
        answer = send(server, "flights", ROWS + 2000, 500, ack="durable")
        if answer.status != 200:
            check_clean(answer, (429, 500, 502, 503, 504))
        fixture.start()
        wait_for_ids(fixture, "flights", ROWS + 2000 + (500 if answer.status == 200 else 0))
    with report.check("upstream back: ingestion goes on"):
        total = len(ids_at_upstream(fixture, "flights"))
        process.wait_until("rows taken again", lambda: send(server, "flights", total, 100).status == 200, 60, every=1)
        wait_for_ids(fixture, "flights", total + 100)


def main():
    process.limit(1500)
    report, folder = Report("rest-catalog"), places.scratch("rest-catalog")
    print(f"logs and data in {folder}", flush=True)
    if not list(places.KIT.glob("*test-fixtures.jar")):
        report.skip("everything", "the reference REST server's jars could not be installed")
        return report.finish()
    s3 = moto.Moto(folder, upstream.BUCKET)
    fixture = upstream.over_moto(folder, s3).start()
    with Server(folder) as server:
        with report.logs_of(server):
            check_registered(report, server, fixture)
            check_ingestion(report, server, fixture)
            check_outage(report, server, fixture)
    fixture.child.kill()
    s3.child.kill()
    return report.finish(folder)


if __name__ == "__main__":
    sys.exit(main())
