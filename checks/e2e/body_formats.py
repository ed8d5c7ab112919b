"""The same rows as NDJSON, CSV and Arrow streams that pyarrow writes, in all the forms
that it has for them: one table each, and they are equal."""
import datetime
import decimal
import json

import pyarrow as pa
from harness import http
from harness.report import same
from pyiceberg.catalog import load_catalog

TIME = datetime.datetime(2024, 1, 1, 1, 2, 3, 456789)
ROWS = pa.table({
    "id": pa.array([1, 2, 3]),
    "text": pa.array(["a", "", None]),
    "ok": pa.array([True, None, False]),
    "ratio": pa.array([0.1, None, -1.5]),
    "price": pa.array([decimal.Decimal("1.50"), None, decimal.Decimal("-0.01")], pa.decimal128(9, 2)),
    "day": pa.array([TIME.date(), None, datetime.date(1969, 12, 31)]),
    "at": pa.array([TIME, None, datetime.datetime(1960, 1, 1)], pa.timestamp("us", "UTC")),
    "some": pa.array([[1, None], [], None], pa.list_(pa.int64())),
    "inner": pa.array([{"x": 1}, {"x": None}, None], pa.struct({"x": pa.int32()})),
})
FORMS = {
    "plain": (ROWS, {}),
    "zstd": (ROWS, {"compression": "zstd"}),
    "version4": (ROWS, {"metadata_version": pa.ipc.MetadataVersion.V4}),
    "legacy": (ROWS, {"use_legacy_format": True}),
    "dictionary": (ROWS.set_column(1, "text", ROWS["text"].dictionary_encode()), {}),
    "views": (ROWS.set_column(1, "text", ROWS["text"].cast(pa.string_view())), {}),
    "large": (ROWS.set_column(7, "some", ROWS["some"].cast(pa.large_list(pa.int64()))), {}),
}


def stream(table, options):
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
        writer.write_table(table, max_chunksize=2)
    return sink.getvalue().to_pybytes()


def texts():
    """The rows with what JSON and CSV have no form for as text."""
    for row in ROWS.to_pylist():
        yield {name: value if isinstance(value, (bool, int, float, str, list, dict, type(None)))
               else value.isoformat() if isinstance(value, datetime.date) else str(value) for name, value in row.items()}


def csv_field(value):
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value)
    return '"' + text.replace('"', '""') + '"'


def csv():
    lines = [",".join(ROWS.column_names)] + [",".join(map(csv_field, row.values())) for row in texts()]
    return "\r\n".join(lines).encode()


def take(server, table, content_type, body):
    """Sends rows; before text comes the first of them as an Arrow stream, so that all tables have the same columns."""
    arrow = {"Content-Type": "application/vnd.apache.arrow.stream"}
    url = server.rows("dev", "formats", table, create="true", ack="committed")
    if content_type != arrow["Content-Type"]:
        http.expect(200, "POST", url, stream(ROWS.slice(0, 1), {}), arrow)
    answer = http.expect(200, "POST", url, body, {"Content-Type": content_type})
    same(answer["accepted"], ROWS.num_rows, "accepted")


def rows(server, table):
    found = load_catalog("dev", type="rest", uri=server.catalog()).load_table(f"formats.{table}").scan().to_arrow()
    return sorted(found.to_pylist(), key=lambda row: row["id"])


def check(report, server):
    wanted = ROWS.to_pylist()
    for name, (table, options) in FORMS.items():
        with report.check(f"formats: an Arrow stream ({name}) gives the rows that it has"):
            take(server, name, "application/vnd.apache.arrow.stream", stream(table, options))
            same(rows(server, name), wanted, "rows")
    ndjson = "".join(json.dumps(row) + "\n" for row in texts()).encode()
    for name, content_type, body in (("ndjson", "application/x-ndjson", ndjson), ("csv", "text/csv; header=present", csv())):
        with report.check(f"formats: {name} gives the rows that it has"):
            take(server, name, content_type, body)
            same(rows(server, name), [wanted[0], *wanted], "rows")
    with report.check("formats: a stream compressed in a way that is not known is refused, and says what is"):
        refused = http.request("POST", server.rows("dev", "formats", "plain"), stream(ROWS, {"compression": "lz4"}),
                               {"Content-Type": "application/vnd.apache.arrow.stream"})
        same(refused.status, 400, "status")
        assert "zstd" in refused.json()["error"]["message"], repr(refused)
