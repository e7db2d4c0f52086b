"""The cases whose instructions are counted: commands that take one to ten seconds under callgrind."""

import contextlib
import hashlib
import http.client
import random
import sqlite3

from harness import data, servers
from harness.counts import Case
from parts.serve import served, started
from parts.unchanged import FEEDS, write_old_thumbnails

ENTRIES, THUMBNAILS, MIRRORED, REQUESTS = 10_000, 2_000, 1_000, 1_000
FEED_LENGTH = 50
ORIGINAL = 16 << 20

IMAGES = "SELECT count(*) FROM image"
STORED = f"{IMAGES} WHERE thumbnail_sha256 IS NOT NULL"
COLOURED = f"{IMAGES} WHERE colours IS NOT NULL"


@contextlib.contextmanager
def cases(bench):
    """All cases, while the servers run that they need."""
    folder = bench.work / "site"
    folder.mkdir()
    write_site(folder)
    with servers.site(folder) as site, contextlib.ExitStack() as stack:
        yield list(Cases(bench, site, stack).all())


def write_site(folder):
    write_old_thumbnails(folder / "thumbnails", THUMBNAILS)
    data.write_media_rss(folder / "thumbnails.xml", THUMBNAILS)
    data.write_media_rss(folder / "mirrored.xml", MIRRORED)
    data.write_json_feed(folder / "feed.json", ENTRIES)
    data.write_media_rss(folder / "feed.xml", ENTRIES)
    for number in range(1, FEEDS + 1):
        data.write_media_rss(folder / f"feed-{number}.xml", FEED_LENGTH)
    data.write_jpeg(folder / "large.jpg", ORIGINAL, random.Random(data.SEED))
    (folder / "large.json").write_text('[{"id": "1", "url": "large.jpg", "thumbnail": "thumbnails/1.jpg"}]')


class Cases:
    """Makes the cases, with their libraries."""

    def __init__(self, bench, site, stack):
        self.bench, self.site, self.stack = bench, site, stack

    def all(self):
        yield from self.first_syncs()
        yield self.unchanged()
        yield self.list()
        yield self.show()
        pictures = self.library("pictures", self.site.plain + "mirrored.xml")
        yield self.requests("requests", pictures)
        yield self.requests("requests again", pictures, again=2)
        yield self.mirror(pictures)

    def case(self, name, command, check=None, program="gallery", **options):
        work = self.bench.work / name.replace("/", "")
        return Case(name, work, [self.bench.gallery.with_name(program), *command], check, **options)

    def library(self, name, *arguments):
        """A library after a sync."""
        folder = self.bench.work / "libraries" / name
        self.bench.output("sync", *arguments, "--quiet", "--cache", folder)
        return folder

    def counted(self, query, count):
        """A check of the number that a query of the library finds."""
        def check(folder):
            with contextlib.closing(sqlite3.connect(folder / "library/gallery.sqlite")) as database:
                self.bench.check(query, database.execute(query).fetchone()[0], count)
                self.bench.check(COLOURED, database.execute(COLOURED).fetchone()[0], 0)

        return check

    def first_syncs(self):
        pictures, documents = self.counted(STORED, THUMBNAILS), self.counted(IMAGES, ENTRIES)
        plain, secure = self.site.plain, self.site.secure
        trust = ["--cacert", self.site.certificate]
        yield self.case("thumbnails, HTTP/1.1", ["sync", "--quiet", plain + "thumbnails.xml"], pictures)
        yield self.case("thumbnails, HTTP/2", ["sync", "--quiet", secure + "thumbnails.xml", *trust], pictures)
        for name, file in [("JSON Feed", "feed.json"), ("Media RSS", "feed.xml")]:
            yield self.case(name, ["sync", "--quiet", plain + file, "--metadata-only"], documents)

    def unchanged(self):
        addresses = [f"{self.site.plain}feed-{number}.xml" for number in range(1, FEEDS + 1)]
        library = self.library("unchanged", *addresses)
        check = self.counted(STORED, FEEDS * FEED_LENGTH)
        return self.case("unchanged feeds", ["sync", "--quiet"], check, library=library)

    def list(self):
        library = self.library("documents", self.site.plain + "feed.xml", "--metadata-only")

        def check(folder):
            self.bench.check("lines", (folder / "output").read_bytes().count(b"\n"), ENTRIES)

        return self.case("list --json", ["list", "--json", "--quiet"], check, library=library)

    def show(self):
        library = self.library("shown", self.site.plain + "large.json", "--originals")
        original = (self.site.folder / "large.jpg").read_bytes()

        def check(folder):
            self.bench.check("the original", (folder / "shown.jpg").read_bytes() == original, True)

        return self.case("show", ["show", "1", "--quiet", "--output", "shown.jpg"], check, library=library)

    def requests(self, name, library, again=0):
        """Requests of thumbnails by their hashes, one after another.

        With `again`, each is asked for once before the count begins, and then so many times: the server keeps them.
        """
        files = [self.site.folder / f"thumbnails/{number}.jpg" for number in range(1, REQUESTS + 1)]
        contents = [file.read_bytes() for file in files]

        def drive(process, when_started):
            server = started(process)
            with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)) as connection:
                server.ask("/api/v1/images?limit=1", connection)
                if again:
                    ask_for_all(server, connection)
                when_started(process)
                for _ in range(again or 1):
                    ask_for_all(server, connection)

        def ask_for_all(server, connection):
            for content in contents:
                path = f"/t/{hashlib.sha256(content).hexdigest()}"
                self.bench.check(path, server.ask(path, connection)[1] == content, True)

        command = ["serve", "--listen", "127.0.0.1:0", "--sync", "off"]
        return self.case(name, command, program="gallery-server", library=library, drive=drive)

    def mirror(self, library):
        server = self.stack.enter_context(served(self.bench, library))
        address = f"http://any:{server.token}@127.0.0.1:{server.port}/"
        return self.case("mirror", ["sync", "--quiet", address, "--no-limits"], self.counted(STORED, MIRRORED))
