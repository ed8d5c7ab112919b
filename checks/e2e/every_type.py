"""Rows with every Iceberg type: the schemas, seeded values, the JSON sent, and one plain form to compare engines by.

A value here is plain Python: int, float, Decimal, date, time, datetime, bytes, str, dict, list, list of pairs for a
map, and nanoseconds since 1970 as int for the two nanosecond types.
"""
import datetime as dt
import decimal
import json
import math
import random
import uuid

EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc)
MICRO = dt.timedelta(microseconds=1)
TEXTS = ["", " ", "plain", "ünïcödé", "日本語 テキスト", "🦆🧊", "a\"b\\c\n\td", "e\u0301", "\u0000nul", "x" * 300, "null", "Zürich"]

STRUCT = {"type": "struct", "fields": [
    {"name": "n", "type": "int", "required": False},
    {"name": "deep", "required": False, "type": {"type": "struct", "fields": [
        {"name": "s", "type": "string", "required": False}, {"name": "d", "type": "date", "required": False}]}}]}
LIST = {"type": "list", "element": "long", "element-required": False}
LIST_OF_STRUCT = {"type": "list", "element-required": False, "element": {"type": "struct", "fields": [
    {"name": "a", "type": "decimal(12, 3)", "required": False}, {"name": "b", "type": "boolean", "required": False}]}}
MAP = {"type": "map", "key": "string", "value": "double", "value-required": False}
MAP_OF_INT = {"type": "map", "key": "int", "value": "string", "value-required": False}

# What all three engines can load; each odd type has a table of its own, since one such column locks an engine out of the whole table.
COMMON = {
    "b": "boolean", "i": "int", "l": "long", "f": "float", "d": "double", "dec9": "decimal(9, 2)", "dec18": "decimal(18, 6)",
    "dec38": "decimal(38, 10)", "day": "date", "ts": "timestamp", "tz": "timestamptz", "s": "string", "u": "uuid",
    "fx": "fixed[16]", "bin": "binary", "st": STRUCT, "li": LIST, "ls": LIST_OF_STRUCT, "m": MAP, "mi": MAP_OF_INT}
ODD = {"time": "time", "timestamp_ns": "timestamp_ns", "timestamptz_ns": "timestamptz_ns", "variant": "variant", "unknown": "unknown"}
# The clients' own gaps at the pinned versions, seen against the reference catalog too.
CANNOT_READ = {
    "spark": {"time": "Spark does not support time fields", "timestamp_ns": "no Spark type for timestamp_ns",
              "timestamptz_ns": "no Spark type for timestamptz_ns"},
    "duckdb": {"timestamptz_ns": "DuckDB's Iceberg extension does not know timestamptz_ns",
               "unknown": "DuckDB's Iceberg extension does not know unknown"},
    "pyiceberg": {"variant": "PyIceberg does not know variant"}}

# Read wrong by the client itself: the other engines read the same file right.
READS_WRONG = {"pyiceberg": {"ls": "PyIceberg gives an empty list for a null list of structs"}}


def numbered(kind, ids):
    """The type with a field id on every nested field, drawn from the iterator `ids`."""
    if isinstance(kind, str):
        return kind
    if kind["type"] == "struct":
        return {**kind, "fields": [{"id": next(ids), **field, "type": numbered(field["type"], ids)} for field in kind["fields"]]}
    if kind["type"] == "list":
        return {**kind, "element-id": next(ids), "element": numbered(kind["element"], ids)}
    return {**kind, "key-id": next(ids), "value-id": next(ids), "value": numbered(kind["value"], ids)}


def schema(columns):
    """Iceberg schema JSON: a required `id` and the columns, all optional."""
    ids = iter(range(100, 10_000))
    fields = [{"id": 1, "name": "id", "type": "long", "required": True}]
    for number, (name, kind) in enumerate(columns.items(), start=2):
        fields.append({"id": number, "name": name, "type": numbered(kind, ids), "required": False})
    return {"type": "struct", "schema-id": 0, "fields": fields}


def scale(kind):
    """(precision, scale) of `decimal(p, s)`."""
    return tuple(int(word) for word in kind[8:-1].split(","))


def float32(value):
    import struct
    return struct.unpack("f", struct.pack("f", value))[0]


EDGES = {
    "boolean": [True, False],
    "int": [0, -1, 2**31 - 1, -2**31],
    "long": [0, -1, 2**63 - 1, -2**63, 2**53 + 1],
    "float": [0.0, 1.5, -3.25, float32(3.4028234e38), float32(1e-40)],
    "double": [0.0, -0.1, 1.7976931348623157e308, 5e-324, 1e15 + 0.3],
    "date": [dt.date(1, 1, 1), dt.date(1582, 10, 4), dt.date(1969, 12, 31), dt.date(1970, 1, 1), dt.date(9999, 12, 31)],
    "time": [dt.time(0, 0), dt.time(23, 59, 59, 999999), dt.time(12, 0, 0, 1)],
    "timestamp": [dt.datetime(1900, 1, 1), dt.datetime(1969, 12, 31, 23, 59, 59, 999999), dt.datetime(2262, 5, 1, 1, 2, 3, 4)],
    "timestamp_ns": [0, -1, 1, 1_700_000_000_123_456_789, -2_000_000_000_000_000_001],
    "string": TEXTS,
    "binary": [b"", b"\x00", bytes(range(256))],
    "uuid": [uuid.UUID(int=0), uuid.UUID(int=2**128 - 1)],
    "variant": [1, "text", {"a": [1, "x", True], "b": {"c": 2.5}}, [], {}, [1, [2, [3]]], False],
}
EDGES["timestamptz"] = [stamp.replace(tzinfo=dt.timezone.utc) for stamp in EDGES["timestamp"]]
EDGES["timestamptz_ns"] = EDGES["timestamp_ns"]


def draw(kind, rng):
    """A value of this type, often one at an edge."""
    if isinstance(kind, dict):
        return draw_nested(kind, rng)
    if kind.startswith("decimal"):
        digits, places = scale(kind)
        unscaled = rng.choice([0, 1, -1, 10**digits - 1, 1 - 10**digits, rng.randrange(-10**digits + 1, 10**digits)])
        return decimal.Decimal((int(unscaled < 0), tuple(map(int, str(abs(unscaled)))), -places))
    if kind.startswith("fixed"):
        return rng.randbytes(int(kind[6:-1]))
    return rng.choice(EDGES[kind]) if rng.random() < 0.3 else draw_plain(kind, rng)


def draw_plain(kind, rng):
    stamp = dt.datetime(1950, 1, 1) + dt.timedelta(microseconds=rng.randrange(4 * 10**15))
    match kind:
        case "boolean": return rng.random() < 0.5
        case "int": return rng.randrange(-2**31, 2**31)
        case "long": return rng.randrange(-2**63, 2**63)
        case "float": return float32(rng.uniform(-1e6, 1e6))
        case "double": return rng.uniform(-1e12, 1e12)
        case "date": return stamp.date()
        case "time": return stamp.time()
        case "timestamp": return stamp
        case "timestamptz": return stamp.replace(tzinfo=dt.timezone(dt.timedelta(minutes=rng.choice([0, 0, 330, -480]))))
        case "timestamp_ns" | "timestamptz_ns": return rng.randrange(-6 * 10**17, 3 * 10**18)
        case "string": return "".join(rng.choice("abcdefß漢🙂 ") for _ in range(rng.randrange(20)))
        case "binary": return rng.randbytes(rng.randrange(30))
        case "uuid": return uuid.UUID(int=rng.getrandbits(128))
        case "variant": return {"k": rng.randrange(1000), "t": [rng.random() < 0.5, "v"]}
    raise ValueError(kind)


def draw_nested(kind, rng):
    if kind["type"] == "struct":
        return {field["name"]: draw_or_null(field["type"], rng) for field in kind["fields"]}
    size = rng.randrange(4)
    if kind["type"] == "list":
        return [draw_or_null(kind["element"], rng) for _ in range(size)]
    keys = rng.sample(range(-50, 50), size) if kind["key"] == "int" else rng.sample(["a", "b c", "ключ", "🔑", ""], size)
    return [(key, draw_or_null(kind["value"], rng)) for key in keys]


def draw_or_null(kind, rng):
    return None if kind == "unknown" or rng.random() < 0.15 else draw(kind, rng)


def rows(columns, count, seed):
    """Row dictionaries: the first of every column's values run over its edges, one row is null throughout."""
    rng = random.Random(seed)
    made = [{"id": number, **{name: draw_or_null(kind, rng) for name, kind in columns.items()}} for number in range(count)]
    for number, row in enumerate(made):
        for name, kind in columns.items():
            edges = EDGES.get(kind, []) if isinstance(kind, str) else []
            if number < len(edges):
                row[name] = edges[number]
    made[-1] = {"id": count - 1, **dict.fromkeys(columns)}
    return made


def to_json(kind, value):
    """The value as ingestion takes it in JSON."""
    if value is None:
        return None
    if isinstance(kind, dict):
        return nested_to_json(kind, value)
    if kind.startswith("decimal"):
        return float(value) if scale(kind)[0] < 15 else str(value)
    if kind in ("timestamp_ns", "timestamptz_ns"):
        whole, nanos = divmod(value, 10**9)
        return f"{(EPOCH + dt.timedelta(seconds=whole)).strftime('%Y-%m-%dT%H:%M:%S')}.{nanos:09d}" + "Z" * (kind == "timestamptz_ns")
    if kind in ("date", "time", "timestamp", "timestamptz"):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.hex()
    return str(value) if kind == "uuid" else value


def nested_to_json(kind, value):
    if kind["type"] == "struct":
        return {field["name"]: to_json(field["type"], value[field["name"]]) for field in kind["fields"]}
    if kind["type"] == "list":
        return [to_json(kind["element"], item) for item in value]
    if kind["key"] == "string":
        return {key: to_json(kind["value"], item) for key, item in value}
    return {"keys": [to_json(kind["key"], key) for key, _ in value], "values": [to_json(kind["value"], item) for _, item in value]}


def ndjson(columns, made):
    kinds = {"id": "long", **columns}
    return "".join(json.dumps({name: to_json(kinds[name], value) for name, value in row.items()}) + "\n" for row in made).encode()


def plain(kind, value):
    """One form for all engines: numbers, text and lists that compare by ==."""
    if value is None:
        return None
    if isinstance(kind, dict):
        return plain_nested(kind, value)
    if kind.startswith("decimal"):
        return str(decimal.Decimal(value).quantize(decimal.Decimal(1).scaleb(-scale(kind)[1]), context=decimal.Context(prec=40)))
    if kind.startswith("fixed") or kind == "binary":
        return bytes(value).hex()
    match kind:
        case "float" | "double": return "NaN" if math.isnan(value) else float(value)
        case "date": return value.isoformat()
        case "time": return value.isoformat("microseconds")
        case "timestamp" | "timestamptz":
            return ((value if value.tzinfo else value.replace(tzinfo=dt.timezone.utc)) - EPOCH) // MICRO
        case "uuid": return str(uuid.UUID(bytes=value) if isinstance(value, bytes) else value)
    return value


def plain_nested(kind, value):
    if kind["type"] == "struct":
        return {field["name"]: plain(field["type"], value[field["name"]]) for field in kind["fields"]}
    if kind["type"] == "list":
        return [plain(kind["element"], item) for item in value]
    pairs = value.items() if isinstance(value, dict) else value
    return sorted(([plain(kind["key"], key), plain(kind["value"], item)] for key, item in pairs), key=lambda pair: pair[0])
