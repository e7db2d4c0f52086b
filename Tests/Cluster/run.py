"""Runs gallery as a cluster on loopback: PostgreSQL with a replica, SeaweedFS, nginx, and nodes that sync and serve.

Usage: run.py --weed WEED --programs FOLDER [--check] [--feeds N] [--hosts N] [--nodes N] [--kills N] [--failover]

Without --check it is a demonstration: it goes on until it is interrupted. With it, nodes are killed while they sync,
and the library is compared with one that a single, undisturbed process has made.
"""
import argparse
import contextlib
import json
import os
import pathlib
import random
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Objects"))

from weed import ID, SECRET, Weed, free_port

from feeds import Web
from postgres import PASSWORD, QUOTED, Server, address


TOKEN = secrets.token_urlsafe(32)


class Node:
    """A process of gallery with files of its own."""

    def __init__(self, cluster: "Cluster", name: str, program: str, *arguments: str):
        self._cluster, self.name = cluster, name
        self._command = [str(cluster.programs / program), *arguments]
        self.log = cluster.folder / f"{name}.log"
        self.process = None

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self._command, env=self._cluster.environment(self.name), stdout=log,
                                            stderr=log, stdin=subprocess.DEVNULL)
        self._cluster.web.nodes[self.process.pid] = self.name

    def kill(self, number: int = signal.SIGKILL) -> int:
        if self.process is None:
            return 0
        self.process.send_signal(number)
        status = self.process.wait(timeout=120)
        # The last requests of a killed process are still being counted.
        self.process = None
        return status


class Cluster:
    def __init__(self, options, folder: pathlib.Path):
        self.programs, self.folder = pathlib.Path(options.programs).resolve(), folder
        self.web = Web(options.feeds, options.hosts)
        self.primary = Server(folder / "primary")
        self.replica = Server(folder / "replica")
        self.weed = Weed(options.weed, folder)
        self.has_replica = not options.check or options.failover
        objects = ["--objects", "s3://pictures/gallery"]
        self.syncing = [Node(self, f"sync-{number}", "gallery", "sync", "--watch", "--quiet", *objects)
                        for number in range(1, options.nodes + 1)]
        self.ports = [free_port(), free_port()]
        self.serving = [Node(self, f"serve-{number}", "gallery", "serve", "--listen", f"127.0.0.1:{port}", *objects)
                        for number, port in enumerate(self.ports, 1)]
        self.front = Front(self.ports, folder)

    def environment(self, name: str) -> dict[str, str]:
        home = self.folder / name
        servers = [self.primary, self.replica] if self.has_replica else [self.primary]
        # The folder has the address as its name, without what is secret.
        place = re.sub(r"^postgresql://|(?<=gallery):[^@]*|\?.*", "", address(*servers))
        files = home / "gallery" / "databases" / urllib.parse.quote(place, safe="-_.:@=")
        if not files.exists():
            files.mkdir(mode=0o700, parents=True)
            # All nodes that serve take the same token.
            (files / "server-token").write_text(TOKEN)
            (files / "server-token").chmod(0o600)
        return {
            "PATH": f"{self.programs}:{os.environ['PATH']}", "HOME": str(home), "XDG_DATA_HOME": str(home),
            "GALLERY_CONFIG": "/dev/null", "GALLERY_CACHE": address(*servers), "AWS_ACCESS_KEY_ID": ID,
            "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_ENDPOINT_URL": self.weed.address, "TZ": "UTC", "LC_ALL": "C.UTF-8",
        }

    def start(self) -> None:
        self.primary.make()
        self.primary.start()
        if self.has_replica:
            self.replica.copy(self.primary)
            self.replica.start()
        self.weed.start()

    def stop(self) -> None:
        for node in self.syncing + self.serving:
            node.kill()
        self.front.stop()
        self.weed.stop()
        for server in [self.replica, self.primary]:
            server.stop(signal.SIGQUIT)

    def gallery(self, *arguments: str, name: str = "user", status: int | None = 0, **changes: str) -> str:
        environment = self.environment(name) | changes
        command = [str(self.programs / "gallery"), *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
        with (self.folder / f"{name}.log").open("a") as log:
            log.write(done.stdout + done.stderr)
        if status is not None and done.returncode != status:
            sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def records(self, *arguments: str, **options) -> list[dict]:
        return [json.loads(line) for line in self.gallery(*arguments, "--json", **options).splitlines()]


class Front:
    """nginx, which gives requests to the nodes that serve, one after another."""

    def __init__(self, ports: list[int], folder: pathlib.Path):
        self.port, self._folder, self._process = free_port(), folder / "nginx", None
        self._folder.mkdir()
        servers = " ".join(f"server 127.0.0.1:{port} max_fails=1 fail_timeout=1s;" for port in ports)
        (self._folder / "nginx.conf").write_text(f"""
            daemon off; pid {self._folder}/pid; error_log {self._folder}/log;
            events {{ worker_connections 256; }}
            http {{
              access_log off; client_body_temp_path {self._folder}/body; proxy_temp_path {self._folder}/proxy;
              fastcgi_temp_path {self._folder}/fastcgi; uwsgi_temp_path {self._folder}/uwsgi;
              scgi_temp_path {self._folder}/scgi;
              proxy_cache_path {self._folder}/cache keys_zone=pictures:4m;
              upstream gallery {{ {servers} }}
              server {{
                listen 127.0.0.1:{self.port};
                location / {{ proxy_pass http://gallery; proxy_set_header Host 127.0.0.1;
                  proxy_next_upstream error timeout http_502; }}
                location /t/ {{ proxy_pass http://gallery; proxy_set_header Host 127.0.0.1;
                  proxy_cache pictures; proxy_next_upstream error timeout http_502; }}
              }}
            }}""")

    def start(self) -> None:
        self._process = subprocess.Popen(["nginx", "-c", f"{self._folder}/nginx.conf", "-p", str(self._folder),
                                          "-e", f"{self._folder}/log"])

    def get(self, path: str) -> bytes:
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}",
                                         headers={"Authorization": f"Bearer {TOKEN}"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.read()

    def stop(self) -> None:
        if self._process:
            self._process.terminate()
            self._process.wait(timeout=60)


def check(condition, what: str) -> None:
    if not condition:
        sys.exit(f"wrong: {what}")


def wait(what: str, condition, seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not condition():
        check(time.monotonic() < end, f"{what} has not come in {seconds:.0f} s")
        time.sleep(0.25)


class Check:
    """Disturbs a cluster, and compares what it has in the end."""

    def __init__(self, cluster: Cluster, options):
        self.cluster, self.options = cluster, options
        self.random = random.Random(options.seed)
        self.kills = 0

    def run(self) -> None:
        cluster = self.cluster
        # The feeds become known without their pictures.
        cluster.gallery("sync", "--metadata-only", "--allow-private", "--quiet", cluster.web.list)
        for node in cluster.syncing + cluster.serving:
            node.start()
        cluster.front.start()
        for number in range(self.options.rounds):
            self.round(number)
        self.end()

    def due(self) -> None:
        """Has all feeds asked again."""
        self.server().sql("UPDATE feed SET due_at = 0, next_sync_at = NULL WHERE format <> 'opml'")

    def server(self) -> Server:
        return self.cluster.replica if self.cluster.primary.process is None else self.cluster.primary

    def round(self, number: int) -> None:
        cluster = self.cluster
        cluster.web.round = number
        for node in cluster.syncing:
            node.kill(signal.SIGTERM)
        self.due()
        for node in cluster.syncing:
            node.start()
        kills = self.options.kills // self.options.rounds
        for _ in range(kills):
            time.sleep(self.random.uniform(0.2, 1.5))
            victim = self.random.choice(cluster.syncing + cluster.serving[:1])
            victim.kill()
            self.kills += 1
            time.sleep(self.random.uniform(0, 0.3))
            victim.start()
        if self.options.failover and number == 0:
            cluster.primary.stop(signal.SIGKILL)
            cluster.replica.promote()
        # What a killed node has left is done by the next one that asks for the feed.
        for node in cluster.syncing:
            node.kill(signal.SIGTERM)
        self.due()
        for node in cluster.syncing:
            node.start()
        wait(f"round {number}", self.is_done, 300)

    def is_done(self) -> bool:
        web = self.cluster.web
        wanted = sum(web.images(feed) for feed in range(web.feeds))
        sql = "SELECT count(*), count(thumbnail_sha256) FROM image WHERE is_hidden = 0"
        return self.server().sql(sql) == [f"{wanted}|{wanted}"]

    def end(self) -> None:
        cluster, web = self.cluster, self.cluster.web
        page = cluster.front.get("/api/v1/images?limit=50")
        check(len(json.loads(page)["images"]) == 50, "the page that nginx gives")
        for node in cluster.syncing + cluster.serving:
            check(node.kill(signal.SIGTERM) in (0, -signal.SIGTERM, 130, 143), f"the end of {node.name}")
        alone = str(cluster.folder / "alone-library")
        cluster.gallery("sync", "--allow-private", "--quiet", web.list, name="alone", GALLERY_CACHE=alone)
        check(self.images() == self.images(name="alone", GALLERY_CACHE=alone), "the images")
        verified = cluster.gallery("verify")
        check("all is as it was stored" in verified, f"verify: {verified}")
        cluster.gallery("sync", "--originals", "--objects", "s3://pictures/gallery", "--quiet", "1", "2")
        # Another machine has no file of it, and gets it from the object store.
        copy = cluster.folder / "copy.png"
        cluster.gallery("show", "1", "--output", str(copy), "--objects", "s3://pictures/gallery", "--quiet", name="other")
        check(copy.read_bytes()[:4] == b"\x89PNG", "an original from the object store")
        shared = web.shared_hosts()
        check(not shared, f"hosts that two nodes asked at once: {shared[:5]} of {len(shared)}")
        self.look_for_secrets()
        names = {asked[1] for asked in web.asked}
        busy = [node.name for node in cluster.syncing if node.name in names]
        check(len(busy) > 1, f"only {busy} have asked")
        print(f"cluster: {web.feeds} feeds of {web.hosts} hosts, {len(cluster.syncing)} nodes, {self.kills} killed, "
              f"{len(web.asked)} requests: the library is as one process makes it")

    def images(self, **options) -> list[tuple]:
        return sorted((image["feed"]["title"], image["title"], image["published"], image["thumbnail"]["url"],
                       image["thumbnail"]["sha256"])
                      for image in self.cluster.records("list", "--limit", "1000000", **options))

    def look_for_secrets(self) -> None:
        for path in self.cluster.folder.glob("*.log"):
            text = path.read_text(errors="replace")
            for secret in (PASSWORD, QUOTED, SECRET):
                check(secret not in text, f"a secret is in {path.name}")


def demonstrate(cluster: Cluster) -> None:
    for node in cluster.syncing + cluster.serving:
        node.start()
    cluster.front.start()
    demo = pathlib.Path(__file__).resolve().parents[2] / "Scripts/demo-feed/feed.xml"
    cluster.gallery("sync", "--quiet", str(demo))
    cluster.gallery("sync", "--allow-private", "--quiet", cluster.web.list)
    print(f"the gallery is at http://127.0.0.1:{cluster.front.port}/?token={TOKEN} until you press Ctrl-C; logs are in {cluster.folder}",
          flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        while True:
            time.sleep(3600)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weed", required=True)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--check", action="store_true", help="disturb it, compare what it has, and end")
    parser.add_argument("--failover", action="store_true", help="stop the primary and promote the replica")
    parser.add_argument("--feeds", type=int, default=1000)
    parser.add_argument("--hosts", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix="gallery-cluster-", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o755)
        cluster = Cluster(options, pathlib.Path(folder))
        try:
            cluster.start()
            if options.check:
                Check(cluster, options).run()
            else:
                demonstrate(cluster)
        except BaseException:
            for log in sorted(pathlib.Path(folder).glob("*.log")) if options.check else []:
                print(f"== {log.name}\n{log.read_text(errors='replace')[-1500:]}", file=sys.stderr)
            raise
        finally:
            cluster.stop()


main()
