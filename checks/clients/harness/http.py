"""A plain HTTP/1.1 client over the standard library: JSON in and out, bodies streamed from files or generators."""
import http.client
import json
import urllib.parse


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        return json.loads(self.body) if self.body else None

    def __repr__(self):
        return f"{self.status} {self.body[:2000].decode(errors='replace')}"


def request(method, url, body=None, headers=None, seconds=60):
    """One request on a connection of its own. `body`: bytes, an open file, a generator of bytes, or anything JSON."""
    parts = urllib.parse.urlsplit(url)
    headers = dict(headers or {})
    if isinstance(body, (dict, list)):
        body = json.dumps(body).encode()
        headers.setdefault("Content-Type", "application/json")
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=seconds)
    try:
        try:
            connection.request(method, parts.path + (f"?{parts.query}" if parts.query else ""), body, headers)
        except (BrokenPipeError, ConnectionResetError):
            pass  # A server may refuse before it has read all: its answer is waiting, or reading it fails too.
        response = connection.getresponse()
        return Answer(response.status, response.headers, response.read())
    finally:
        connection.close()


def expect(status, method, url, body=None, headers=None, seconds=60):
    """A request whose answer must have this status; its JSON."""
    answer = request(method, url, body, headers, seconds)
    assert answer.status == status, f"{method} {url}: wanted {status}, got {answer!r}"
    return answer.json()


def get(url, **options):
    return request("GET", url, **options)
