"""What ingestion answers about bad rows, and that what it refused is nowhere to be seen."""
import json
import uuid

from harness import http
from harness.report import same

NDJSON = {"Content-Type": "application/x-ndjson"}
GOOD = [{"id": number, "n": {"x": number}} for number in range(10)]
BAD = [{"id": 100, "n": {"x": 1}}, {"id": 101, "n": {"x": "no number"}}, {"id": 102, "n": None}]


def send(server, rows, key=None, **query):
    body = "".join(json.dumps(row) + "\n" for row in rows).encode()
    headers = {**NDJSON, **({"Idempotency-Key": key} if key else {})}
    return http.request("POST", server.rows("dev", "answers", "t", **{"ack": "committed", **query}), body, headers)


def count(server):
    """The row count of the current snapshot, as the catalog tells it."""
    metadata = http.expect(200, "GET", f"{server.catalog()}/v1/namespaces/answers/tables/t")["metadata"]
    current = next(each for each in metadata["snapshots"] if each["snapshot-id"] == metadata["current-snapshot-id"])
    return int(current["summary"]["total-records"])


def check(report, server):
    with report.check("rows: a table that is not there is 404 without create=true"):
        same(send(server, GOOD).status, 404, "status")
    with report.check("rows: good rows are accepted and counted"):
        answer = send(server, GOOD, create="true")
        same(answer.status, 200, repr(answer))
        same((answer.json()["accepted"], answer.json()["rejected-count"], answer.json()["rejected"]), (10, 0, []), "answer")
        same(count(server), 10, "rows")
    with report.check("rows: one bad row refuses the request whole, and says which"):
        answer = send(server, BAD)
        same(answer.status, 400, repr(answer))
        same(answer.json()["error"]["code"], 400, "error.code")
        fault = answer.json()["rejected"][0]
        same((fault["row"], fault["field"]), (1, "n.x"), "fault")
        assert fault["code"] and fault["reason"], f"fault says nothing: {fault}"
        same(count(server), 10, "rows")
    with report.check("rows: on-error=skip takes the good rows and reports the bad"):
        answer = send(server, BAD, on_error="skip")
        same(answer.status, 200, repr(answer))
        same((answer.json()["accepted"], answer.json()["rejected-count"]), (2, 1), "accepted, rejected-count")
        same(answer.json()["rejected"][0]["row"], 1, "the bad row")
        same(count(server), 12, "rows")
    with report.check("rows: an array and a single object are taken as application/json"):
        url = server.rows("dev", "answers", "t", ack="committed")
        for body, rows in (([{"id": 1}, {"id": 2}], 2), ({"id": 3}, 1)):
            same(http.expect(200, "POST", url, body)["accepted"], rows, "accepted")
        same(count(server), 15, "rows")
    with report.check("rows: a key repeats its answer, and is refused for other rows"):
        key = str(uuid.uuid4())
        first, second, other = send(server, GOOD, key), send(server, GOOD, key), send(server, GOOD[:1], key)
        same((first.status, second.status, second.json()), (200, 200, first.json()), "the repeat")
        assert 400 <= other.status < 500, f"other rows under the same key: {other!r}"
        same(count(server), 25, "rows")
    with report.check("rows: what is not understood is refused, not ignored"):
        same(send(server, GOOD, sideways="yes").status, 400, "an unknown query key")
        same(http.request("POST", server.rows("dev", "answers", "t"), b"x", {"Content-Type": "avro/binary"}).status, 415, "avro/binary")
