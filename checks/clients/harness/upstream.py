"""An Iceberg REST catalog that is not ours: the reference fixture, its pointers in SQLite."""
from . import http, places, process
from .moto import KEYS, REGION

BUCKET = "upstream"


def over_moto(folder, moto):
    """The reference server over `moto`; `storage` is what a client needs besides the URI."""
    return Fixture(folder, f"s3://{BUCKET}/warehouse", {
        "io-impl": "org.apache.iceberg.aws.s3.S3FileIO", "s3.endpoint": moto.endpoint, "s3.path-style-access": "true",
        "s3.access-key-id": KEYS["access"], "s3.secret-access-key": KEYS["secret"], "s3.region": REGION, "client.region": REGION})


def over_disk(folder):
    """The reference server over the local disk."""
    return Fixture(folder, f"file://{folder / 'warehouse'}", {"io-impl": "org.apache.iceberg.hadoop.HadoopFileIO"})


class Fixture:
    def __init__(self, folder, warehouse, storage):
        self.folder, self.warehouse, self.storage = folder, warehouse, storage
        self.port = process.free_port()
        self.uri = f"http://127.0.0.1:{self.port}"
        self.child = None

    def start(self):
        catalog = {**self.storage, "warehouse": self.warehouse, "include-credentials": "true", "rest.port": str(self.port),
                   "uri": f"jdbc:sqlite:{self.folder / 'upstream.db'}"}
        environment = {"CATALOG_" + key.replace("-", "__").replace(".", "_").upper(): value for key, value in catalog.items()}
        self.child = process.Child(["java", "-Xmx512m", "-cp", f"{places.KIT}/*", "org.apache.iceberg.rest.RESTCatalogServer"],
                                   self.folder / "fixture.log", environment)
        process.wait_until("the reference REST server", self._answers, 60)
        return self

    def _answers(self):
        if not self.child.alive():
            raise RuntimeError("the reference REST server ended: " + self.child.tail(20))
        try:
            return http.get(f"{self.uri}/v1/config", seconds=5).status == 200
        except OSError:
            return False
