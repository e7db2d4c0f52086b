"""Fetches many thumbnails into a new library, against downloaders that write plain files."""

import contextlib
import dataclasses
from collections.abc import Callable

from harness import data, runs, servers, setup
from harness.rows import Row

CURL_TRANSFERS = 50

# Counts the thumbnails that a search finds, and whose rows, with those of their images, equal those in a library of
# gallery's.
SAME_ROWS = """
ATTACH '{library}/gallery.sqlite' AS theirs;
SELECT count(*) FROM thumbnail AS thumbnail JOIN image ON image.id = thumbnail.image_id
  JOIN theirs.image AS other USING (
    id, position, date, published_at, width, height, thumbnail_state, thumbnail_format, thumbnail_bytes,
    thumbnail_width, thumbnail_height, entry_hash, original_hash, entry_id, original_address,
    thumbnail_address, title, title_key, author, shape, row_checksum
  )
  JOIN theirs.thumbnail AS theirs USING (image_id, address, etag, last_modified, bytes, checksum)
  WHERE image.id IN (SELECT rowid FROM image_search('f1'));
"""


def rows(bench):
    count = bench.size(5_000, 500)
    with bench.folder() as work:
        data.write_thumbnails(work / "thumbnails", count)
        data.write_media_rss(work / "feed.xml", count)
        # gallery-dl takes minutes where the others take seconds.
        few = count // 10
        data.write_media_rss(work / "few.xml", few)
        with servers.site(work) as site:
            plain = Sides(bench, site.plain, count)
            small = Sides(bench, site.plain, few, feed="few.xml")
            yield from compare(bench, "HTTP/1.1", "6 connections", plain, peers(bench, plain, small))
            secure = Sides(bench, site.secure, count, certificate=site.certificate)
            curl = Peer("curl -Z", secure.curl, 1.0, "50 streams")
            yield from compare(bench, "HTTP/2 and TLS", "64 streams", secure, [curl])


@dataclasses.dataclass
class Peer:
    """A program to compare with: its bound, its number of parallel transfers, and how often its time counts."""

    name: str
    side: Callable
    bound: float
    number: str
    times: int = 1


def peers(bench, plain, small):
    """The peers that are installed."""
    yield Peer("curl -Z", plain.curl, 1.0, "50 connections")
    if runs.on_path("wget2"):
        yield Peer("wget2", plain.wget2, 0.3, "5 threads")
    if runs.on_path("aria2c"):
        yield Peer("aria2c -j16", plain.aria2, 0.1, "16 at once")
    if bench.python:
        times = plain.count // small.count
        name = f"gallery-dl, {times} times what {small.count} take"
        yield Peer(name, small.gallery_dl, 0.03, "1 at a time", times)


def compare(bench, protocol, number, sides, peers):
    """Runs gallery, the same work in C, and the peers, all of them in the same turns."""
    case = f"{sides.count} thumbnails, {protocol}"
    peers = list(peers)
    with bare_sides(bench, sides) as bare:
        ours = {f"sync: {case}": sides.gallery}
        ours |= {f"{name}, {case}": side for name, side in bare.items()}
        theirs = [peer.side for peer in peers]
        times = runs.alternate(bench.runs, *ours.values(), *theirs)
    for name, our_times in zip(ours, times):
        for peer, their_times in zip(peers, times[len(ours):]):
            bound = peer.bound if name.startswith("sync") else None
            their_times = [runs.Time(run.seconds * peer.times) for run in their_times]
            yield row(name, peer.name, our_times, their_times, bound, number, peer.number)


@contextlib.contextmanager
def bare_sides(bench, sides):
    """The programs in C; none without a compiler. One only uses the two libraries with which gallery fetches and
    stores. Another does the work of a sync of this feed."""
    peers = bench.benchmarks / "peers"
    least = setup.compiled(peers / "fetch_and_store.c", bench.work / "fetch_and_store")
    whole = setup.compiled(peers / "sync_feed.c", bench.work / "sync_feed")
    if not least or not whole:
        yield {}
        return
    with bench.folder() as library:
        bench.sync(library, sides.address + sides.feed, *sides.trust)
        yield {
            "libcurl and SQLite alone": lambda: sides.least(least),
            "the same work in C": lambda: sides.whole(whole, library),
        }


def row(case, against, ours, theirs, bound, our_number, their_number):
    return Row(
        case, against, runs.ratio(ours, theirs), bound,
        f"{runs.seconds(ours):.2f} s, {our_number}",
        f"{runs.seconds(theirs):.2f} s, {their_number}",
    )


class Sides:
    """Runs of each side, each into a new place."""

    def __init__(
        self, bench, address, count, feed="feed.xml", certificate=None, transfers=CURL_TRANSFERS
    ):
        self.bench, self.address, self.count, self.feed = bench, address, count, feed
        self.trust = ["--cacert", certificate] if certificate else []
        self.transfers = transfers

    def gallery(self):
        with self.bench.folder(is_kept=True) as folder:
            run = self.bench.sync(folder, self.address + self.feed, *self.trust)
            stored = sum(image["thumbnail"]["stored"] for image in self.bench.listed(folder))
            self.bench.check("thumbnails that gallery stored", stored, self.count)
        return run

    def least(self, program):
        with self.bench.folder(is_kept=True) as folder:
            run = runs.Run([program, *self.options, self.address, self.count, folder, self.number])
            self.check_number(folder, "SELECT count(*) FROM thumbnail")
        return run

    def whole(self, program, library):
        with self.bench.folder(is_kept=True) as folder:
            run = runs.Run([program, *self.options, library, self.address, folder, self.number])
            self.check_number(folder, SAME_ROWS.format(library=library))
        return run

    @property
    def number(self):
        return 64 if self.trust else 6

    @property
    def options(self):
        return ["-t", *self.trust[1:]] if self.trust else []

    def check_number(self, folder, query):
        stored = list(runs.lines(["sqlite3", folder / "gallery.sqlite", query]))[-1]
        self.bench.check("thumbnails that were stored", int(stored), self.count)

    def curl(self):
        with self.files("url = \"{address}\"\noutput = \"{name}\"\n") as (folder, list_):
            options = ["-Z", "--parallel-max", self.transfers, "-f", "-s", *self.trust]
            return self.checked("curl", folder, ["curl", *options, "-K", list_])

    def wget2(self):
        with self.files("{address}\n") as (folder, list_):
            return self.checked("wget2", folder, ["wget2", "-q", "-i", list_])

    def aria2(self):
        with self.files("{address}\n") as (folder, list_):
            return self.checked("aria2c", folder, ["aria2c", "-q", "-j16", "-i", list_])

    def gallery_dl(self):
        with self.files("{address}\n") as (folder, list_):
            program = self.bench.python.parent / "gallery-dl"
            command = [program, "--config-ignore", "-q", "-D", folder, "-i", list_]
            return self.checked("gallery-dl", folder, command)

    @contextlib.contextmanager
    def files(self, line):
        """An empty folder, and a list of the files to fetch into it."""
        with self.bench.folder(is_kept=True) as work:
            folder, list_ = work / "files", work / "list"
            folder.mkdir()
            with open(list_, "w", encoding="utf-8") as file:
                for number in range(1, self.count + 1):
                    name = f"{number}.jpg"
                    file.write(line.format(address=f"{self.address}thumbnails/{name}", name=name))
            yield folder, list_

    def checked(self, name, folder, command):
        run = runs.Run(command, cwd=folder)
        self.bench.check(f"files of {name}", len(list(folder.glob("*.jpg"))), self.count)
        return run
