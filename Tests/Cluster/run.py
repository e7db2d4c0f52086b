"""Runs gallery as a cluster on loopback: PostgreSQL with a replica, SeaweedFS, nginx, and nodes that sync and serve.

Usage: run.py --weed WEED --programs FOLDER [--check] [--feeds N] [--hosts N] [--nodes N] [--kills N] [--failover]
              [--minutes N] [--other-programs FOLDER]

Without --check it is a demonstration: it goes on until it is interrupted. With it, nodes are killed while they sync,
and the library is compared with one that a single, undisturbed process has made. With --minutes, nodes and all that they
use fail by turns for so long, one node's clock is five minutes fast, and another node is of --other-programs.
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

from chaos import Chaos, Gateway
from clock import Clock
from feeds import NOISE, Web
from postgres import PASSWORD, QUOTED, Server, address


TOKEN = secrets.token_urlsafe(32)


class Node:
    """A process of gallery with a separate folder for its files."""

    def __init__(self, cluster: "Cluster", name: str, *arguments: str, programs: pathlib.Path | None = None):
        self._cluster, self.name = cluster, name
        self._command = [str((programs or cluster.programs) / "gallery"), *arguments]
        self.variables: dict[str, str] = {}
        self.log = cluster.folder / f"{name}.log"
        self.process = None

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self._command, env=self._cluster.environment(self.name) | self.variables, stdout=log,
                                            stderr=log, stdin=subprocess.DEVNULL)
        self._cluster.web.nodes[self.process.pid] = self.name

    def kill(self, number: int = signal.SIGKILL) -> int:
        if self.process is None:
            return 0
        self.process.send_signal(number)
        status = self.process.wait(timeout=120)
        # `web.nodes` keeps the process, because its last requests may still be recorded.
        self.process = None
        return status


class Cluster:
    def __init__(self, options, folder: pathlib.Path):
        self.programs, self.folder = pathlib.Path(options.programs).resolve(), folder
        self.web = Web(options.feeds, options.hosts)
        self.primary = Server(folder / "primary")
        self.replica = Server(folder / "replica")
        self.weed = Weed(options.weed, folder)
        self.gateway = Gateway(self.weed.address)
        self.has_replica = not options.check or options.failover
        self.fetches_originals = options.minutes > 0
        objects = ["--objects", "s3://pictures/gallery"]
        sync = ["sync", "--watch", "--quiet", *objects] + ["--originals"] * self.fetches_originals
        self.syncing = [Node(self, f"sync-{number}", *sync) for number in range(1, options.nodes)]
        others = options.other_programs and pathlib.Path(options.other_programs).resolve()
        self.syncing.append(Node(self, f"sync-{options.nodes}", *sync, programs=others))
        self.clock = Clock("+5m") if options.minutes else None
        if self.clock:
            self.syncing[0].variables = self.clock.variables
        self.ports = [free_port(), free_port()]
        self.serving = [Node(self, f"serve-{number}", "serve", "--listen", f"127.0.0.1:{port}", *objects)
                        for number, port in enumerate(self.ports, 1)]
        self.front = Front(self.ports, folder)

    def environment(self, name: str) -> dict[str, str]:
        home = self.folder / name
        servers = [self.primary, self.replica] if self.has_replica else [self.primary]
        # The folder's name is the address without its secrets.
        place = re.sub(r"^postgresql://|(?<=gallery):[^@]*|\?.*", "", address(*servers))
        files = home / "gallery" / "databases" / urllib.parse.quote(place, safe="-_.:@=")
        if not files.exists():
            files.mkdir(mode=0o700, parents=True)
            # All serving nodes use the same token.
            (files / "server-token").write_text(TOKEN)
            (files / "server-token").chmod(0o600)
        return {
            "PATH": f"{self.programs}:{os.environ['PATH']}", "HOME": str(home), "XDG_DATA_HOME": str(home),
            "GALLERY_CONFIG": "/dev/null", "GALLERY_CACHE": address(*servers), "AWS_ACCESS_KEY_ID": ID,
            "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_ENDPOINT_URL": self.gateway.address, "TZ": "UTC", "LC_ALL": "C.UTF-8",
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
        if self.clock:
            self.clock.stop()
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
    """nginx, which distributes requests to the serving nodes in turn."""

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


def wait(what: str, condition, seconds: float = 120, explain=lambda: "") -> None:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"wrong: {what} has not come in {seconds:.0f} s {explain()}")
        time.sleep(0.25)


class Check:
    """Disturbs a cluster, and compares its library with that of a single process in the end."""

    def __init__(self, cluster: Cluster, options):
        self.cluster, self.options = cluster, options
        self.random = random.Random(options.seed)
        # The time of each kill, and the node.
        self.kills: list[tuple[float, str]] = []

    def run(self) -> None:
        cluster = self.cluster
        # Add the feeds without their pictures.
        cluster.gallery("sync", "--metadata-only", "--allow-private", "--quiet", cluster.web.list)
        for node in cluster.syncing + cluster.serving:
            node.start()
        cluster.front.start()
        if self.options.minutes:
            self.chaos()
        for number in range(0 if self.options.minutes else self.options.rounds):
            self.round(number)
        wait("a request of each node", self.have_all_asked)
        self.end()

    def chaos(self) -> None:
        chaos = Chaos(self, self.options.minutes * 60)
        chaos.run()
        self.settle("the end of the chaos")
        check(not chaos.early, f"requests during a pause: {chaos.early[:5]} of {len(chaos.early)}")
        read, failed = chaos.reader.read, chaos.reader.failed
        check(read > 100 and failed < read / 20, f"{read} read and {failed} not")

    def due(self) -> None:
        """Makes all feeds due."""
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
            self.kill(cluster.syncing + cluster.serving[:1])
        if self.options.failover and number == 0:
            cluster.primary.stop(signal.SIGKILL)
            cluster.replica.promote()
        self.settle(f"round {number}")

    def kill(self, nodes: list[Node]) -> None:
        """Kills a random one of the nodes, and starts it again."""
        victim = self.random.choice(nodes)
        self.kills.append((time.monotonic(), victim.name))
        victim.kill()
        time.sleep(self.random.uniform(0, 0.5))
        victim.start()

    def settle(self, what: str) -> None:
        """Waits for the end of all work. The next node that asks for a feed completes the work of a killed one."""
        for node in self.cluster.syncing:
            node.kill(signal.SIGTERM)
        self.due()
        for node in self.cluster.syncing:
            node.start()
        wait(what, self.is_done, 300, self.what_is_missing)

    def is_done(self) -> bool:
        web = self.cluster.web
        wanted = sum(web.images(feed) for feed in range(web.feeds))
        sql = "SELECT count(*), count(thumbnail_sha256) FROM image WHERE is_hidden = 0"
        if self.server().sql(sql) != [f"{wanted}|{wanted}"]:
            return False
        if not self.cluster.fetches_originals:
            return True
        sql = """SELECT (SELECT count(*) FROM image WHERE original_state = 1),
                 (SELECT count(*) FROM original WHERE put_at IS NOT NULL)"""
        return self.server().sql(sql) == [f"{wanted}|{wanted}"]

    def what_is_missing(self) -> str:
        """The counts of images and thumbnails, and the incomplete images with the times at which they are due."""
        sql = """SELECT i.feed_id, i.id, thumbnail_sha256 IS NOT NULL AS thumbnail, thumbnail_state,
                   thumbnail_check_at - now_seconds() AS thumbnail_in, original_state,
                   original_check_at - now_seconds() AS original_in, sha256, put_at IS NOT NULL AS put,
                   due_at - now_seconds() AS feed_in, next_sync_at - now_seconds() AS next_in
                 FROM image i JOIN feed f ON f.id = feed_id LEFT JOIN image_original o ON image_id = i.id
                   LEFT JOIN original ON original.id = original_id
                 WHERE is_hidden = 0 AND (thumbnail_sha256 IS NULL OR original_state <> 1 OR put_at IS NULL) LIMIT 20"""
        images = self.server().sql("SELECT count(*), count(thumbnail_sha256) FROM image WHERE is_hidden = 0")
        return "\n".join(images + self.server().sql(sql))

    def have_all_asked(self) -> bool:
        """Whether each node has asked for a feed. If not, it makes the feeds due again for nodes that started late."""
        names = {asked[1] for asked in self.cluster.web.asked}
        if all(node.name in names for node in self.cluster.syncing):
            return True
        self.due()
        time.sleep(2)
        return False

    def end(self) -> None:
        cluster, web = self.cluster, self.cluster.web
        page = cluster.front.get("/api/v1/images?limit=50")
        check(len(json.loads(page)["images"]) == 50, "the page that nginx gives")
        shown = {"/metrics": cluster.front.get("/metrics").decode(), "the process list": processes()}
        check("gallery_" in shown["/metrics"] and "serve" in shown["the process list"], f"what is shown: {shown}")
        for node in cluster.syncing + cluster.serving:
            check(node.kill(signal.SIGTERM) in (0, -signal.SIGTERM, 130, 143), f"the end of {node.name}")
        alone = str(cluster.folder / "alone-library")
        cluster.gallery("sync", "--allow-private", "--quiet", web.list, name="alone", GALLERY_CACHE=alone)
        check(self.images() == self.images(name="alone", GALLERY_CACHE=alone), "the images")
        verified = cluster.gallery("verify", "--objects", "s3://pictures/gallery")
        check("all is as it was stored" in verified, f"verify: {verified}")
        cluster.gallery("sync", "--originals", "--objects", "s3://pictures/gallery", "--quiet", "1", "2")
        # Another machine has no file of the original, and gets it from the object store.
        copy = cluster.folder / "copy.png"
        cluster.gallery("show", "1", "--output", str(copy), "--objects", "s3://pictures/gallery", "--quiet", name="other")
        check(copy.read_bytes()[:4] == b"\x89PNG", "an original from the object store")
        shared = web.shared_hosts(self.kills)
        check(not shared, f"hosts that two nodes asked at once: {shared[:5]} of {len(shared)}")
        if sum(web.images(feed) for feed in range(web.feeds)) * NOISE["thumbnail"] > 10_000_000:
            packed = "SELECT count(*) > 0 FROM thumbnail JOIN pack ON pack.id = pack_id WHERE emptied_at IS NULL"
            check(self.server().sql(packed) == ["t"], "packs of thumbnails in the object store")
            verified = cluster.gallery("verify", "--objects", "s3://pictures/gallery", name="other")
            check("all is as it was stored" in verified, f"verify on another machine: {verified}")
        self.look_for_secrets(shown)
        print(f"cluster: {web.feeds} feeds of {web.hosts} hosts, {len(cluster.syncing)} nodes, {len(self.kills)} killed, "
              f"{len(web.asked)} requests: the library is as one process makes it")

    def images(self, **options) -> list[tuple]:
        return sorted((image["feed"]["title"], image["title"], image["published"], image["thumbnail"]["url"],
                       image["thumbnail"]["sha256"])
                      for image in self.cluster.records("list", "--limit", "1000000", **options))

    def look_for_secrets(self, texts: dict[str, str]) -> None:
        logs = {path.name: path.read_text(errors="replace") for path in self.cluster.folder.glob("*.log")}
        for name, text in (texts | logs).items():
            for secret in (PASSWORD, QUOTED, SECRET):
                check(secret not in text, f"a secret is in {name}")


def processes() -> str:
    """The arguments of all processes, as ps(1) shows them."""
    lines = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            lines.append(path.read_bytes().replace(b"\0", b" ").decode(errors="replace"))
    return "\n".join(lines)


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
    parser.add_argument("--minutes", type=float, default=0, help="how long everything fails by turns")
    parser.add_argument("--other-programs", help="the folder of another version of the programs, for one node")
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
