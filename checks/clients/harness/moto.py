"""An S3-compatible server that is not ours: moto, one request after the other, all in memory."""
import subprocess

import boto3

from . import places, process

KEYS = {"access": "moto-key", "secret": "moto-secret"}
REGION = "us-east-1"


class Moto:
    """Leaves with the script; `bucket` is there from the start."""
    environment = {"AWS_ACCESS_KEY_ID": KEYS["access"], "AWS_SECRET_ACCESS_KEY": KEYS["secret"], "AWS_REGION": REGION}

    def __init__(self, folder, bucket):
        program = subprocess.run([places.ROOT / "checks/servers/moto"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        self.port = process.free_port()
        self.endpoint = f"http://127.0.0.1:{self.port}"
        self.child = process.Child([program, "-H", "127.0.0.1", "-p", self.port], folder / "moto.log")
        process.wait_until("moto", lambda: process.listening(self.port), 60)
        self.client().create_bucket(Bucket=bucket)

    def client(self):
        return boto3.client("s3", endpoint_url=self.endpoint, aws_access_key_id=KEYS["access"],
                            aws_secret_access_key=KEYS["secret"], region_name=REGION)
