"""The real jar, started by its launcher on a free port over a local folder."""
import os
import secrets

from . import http, places, process

# The first start may have to build the jar; later ones only start it.
FIRST_START_SECONDS = int(os.environ.get("CHECKS_FIRST_START_SECONDS", "900"))
START_SECONDS = 60


class Server:
    """`se dev` with its storage under `folder`. `start` waits until it is ready; leaving the `with` stops it."""

    def __init__(self, folder, flags=(), environment=None):
        self.folder = folder
        self.port = process.free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.flags, self.environment = list(flags), environment
        self.started = 0
        self.child = None

    def command(self):
        return [places.LAUNCHER, "dev", "--storage", f"local:{self.folder / 'data'}",
                "--server.address", f"127.0.0.1:{self.port}", *self.flags]

    def launch(self):
        """Starts the process and returns at once."""
        self.started += 1
        self.child = process.Child(self.command(), self.folder / "server.log", self.environment)

    def start(self):
        seconds = START_SECONDS if self.started else FIRST_START_SECONDS
        self.launch()
        process.wait_until("GET /health/ready", self.ready, seconds)
        return self

    def ready(self):
        """True once /health says that it lives and /health/ready that it can work; RuntimeError when it has ended."""
        if not self.child.alive():
            raise RuntimeError(f"the server ended with {self.child.process.returncode} while starting")
        try:
            return all(http.get(self.base + path, seconds=5).status == 200 for path in ("/health", "/health/ready"))
        except OSError:
            return False

    def catalog(self, name="dev"):
        """The one thing that a client is told."""
        return f"{self.base}/catalogs/{name}"

    def rows(self, catalog, namespace, table, **query):
        """The ingestion URL of a table."""
        words = "&".join(f"{key.replace('_', '-')}={value}" for key, value in query.items())
        return f"{self.catalog(catalog)}/v1/namespaces/{namespace}/tables/{table}/rows" + (f"?{words}" if words else "")

    def __enter__(self):
        try:
            return self.start()
        except BaseException:
            self.show_log()
            self.stop()
            raise

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        return self.child.stop() if self.child else None

    def show_log(self):
        if self.child:
            print(f"---- last lines of {self.child.log}\n{self.child.tail()}----", flush=True)


class ServeServer(Server):
    """`se serve` over a bucket of an S3 server, `s3` with its `endpoint` and what else a client needs in `environment`; `folder`
    gets its log alone. Servers over one bucket share `key`. It lets everybody in unless it `asks` for tokens."""

    def __init__(self, folder, s3, bucket, name, key, flags=(), asks=False):
        super().__init__(folder, [*flags, *([] if asks else ["--insecure"])], {**s3.environment, "SE_SECRETS_KEY": key})
        self.s3, self.bucket, self.name = s3, bucket, name

    def command(self):
        return [places.LAUNCHER, "serve", "--storage", f"s3://{self.bucket}/cluster", "--s3.endpoint", self.s3.endpoint,
                "--server.address", f"127.0.0.1:{self.port}", "--node.name", self.name, *self.flags]


def secrets_key():
    """A key for --secrets.key."""
    return secrets.token_hex(32)
