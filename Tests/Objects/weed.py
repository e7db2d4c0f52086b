"""SeaweedFS on loopback, an object store with the S3 protocol."""
import contextlib
import json
import os
import pathlib
import random
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

ID, SECRET = "AKGALLERYTEST", "s3cr3t/that+no=log?has"


def free_port() -> int:
    """Returns a free port. The port 10,000 above it, where SeaweedFS serves gRPC, is free, too.

    Both are below the ports that the system gives to clients (ip(7), ip_local_port_range), so they are still free when
    the server is restarted.
    """
    while True:
        port = random.randrange(10_000, 20_000)
        with contextlib.suppress(OSError), socket.socket() as one, socket.socket() as other:
            one.bind(("127.0.0.1", port))
            other.bind(("127.0.0.1", port + 10_000))
            return port


class Weed:
    """SeaweedFS with its S3 gateway on loopback."""

    def __init__(self, program: str, folder: pathlib.Path):
        self._program, self._folder = program, folder
        (folder / "data").mkdir()
        identity = {"name": "gallery", "credentials": [{"accessKey": ID, "secretKey": SECRET}],
                    "actions": ["Admin", "Read", "Write", "List"]}
        (folder / "s3.json").write_text(json.dumps({"identities": [identity]}))
        self._ports = [free_port() for _ in range(4)]
        self.address = f"http://127.0.0.1:{self._ports[0]}"
        self.filer = f"http://127.0.0.1:{self._ports[3]}"
        self.process = None

    def start(self) -> None:
        s3, master, volume, filer = self._ports
        arguments = ["server", f"-dir={self._folder}/data", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-s3",
                     f"-s3.port={s3}", f"-s3.config={self._folder}/s3.json", f"-master.port={master}",
                     f"-volume.port={volume}", f"-filer.port={filer}", "-master.volumeSizeLimitMB=64",
                     "-volume.max=40", "-s3.port.iceberg=0", "-s3.port.lance=0", "-s3.iam=false"]
        log = (self._folder / "log").open("ab")
        # It also writes logs into the temporary folder.
        environment = {**os.environ, "TMPDIR": str(self._folder)}
        self.process = subprocess.Popen([self._program, *arguments], stdout=log, stderr=log, env=environment)
        end = time.monotonic() + 60
        while time.monotonic() < end:
            with contextlib.suppress(OSError, urllib.error.URLError):
                try:
                    urllib.request.urlopen(self.address, timeout=2)
                except urllib.error.HTTPError:
                    return
            time.sleep(0.2)
        sys.exit(f"SeaweedFS does not start: {(self._folder / 'log').read_text()[-2000:]}")

    def stop(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None
            # A killed process leaves its sockets, whose place SeaweedFS does not let one choose.
            for port in [*self._ports, *(port + 10_000 for port in self._ports)]:
                for left in pathlib.Path("/tmp").glob(f"seaweedfs-*-{port}.sock"):
                    left.unlink(missing_ok=True)


def filer(weed: Weed, path: str, method: str = "GET", data: bytes | None = None) -> bytes:
    """Sends a request to SeaweedFS's filer directly, without the S3 gateway."""
    request = urllib.request.Request(weed.filer + path, data=data, method=method)
    request.add_header("Accept", "application/json")
    with urllib.request.urlopen(request, timeout=20) as answer:
        return answer.read()


def files(weed: Weed, folder: str) -> list[str]:
    """The paths of all files of SeaweedFS in a folder and its subfolders."""
    try:
        entries = json.loads(filer(weed, f"{folder}/?limit=100000"))["Entries"] or []
    except urllib.error.HTTPError as error:
        if error.code == 404:
            return []
        raise
    found = []
    for entry in entries:
        # The mode is in Go's format; this bit is os.ModeDir.
        is_folder = entry["Mode"] & 1 << 31
        found += files(weed, entry["FullPath"]) if is_folder else [entry["FullPath"]]
    return found
