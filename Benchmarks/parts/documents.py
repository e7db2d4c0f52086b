"""Reads a long feed document into a new library, against a program in Python that does the same."""

import subprocess

from harness import data, runs, servers
from harness.rows import Row

PEER = "peers/store_document.py"


def rows(bench):
    count, few = bench.size(100_000, 5_000), 1_000
    with bench.folder() as work:
        for name, write in [("feed.json", data.write_json_feed), ("feed.xml", data.write_media_rss)]:
            write(work / name, count)
            write(work / f"few-{name}", few)
        with servers.site(work) as site:
            sides = Sides(bench, site, work)
            yield from sides.compare("feed.json", f"JSON Feed of {count} entries", "orjson")
            yield from sides.compare("feed.xml", f"Media RSS of {count} entries", "lxml")


class Sides:
    """Runs of both sides, each into a new library or database."""

    def __init__(self, bench, site, work):
        self.bench, self.site = bench, site
        self.schema = work / "schema.sql"
        self.schema.write_text(self.read_schema())

    def compare(self, name, document, library):
        case = f"first sync of a {document}"
        if self.bench.python:
            ours, theirs = runs.alternate(
                self.bench.runs, lambda: self.gallery(name), lambda: self.python(name)
            )
            yield Row(
                case, f"Python, {library}", runs.ratio(ours, theirs), 1.0,
                f"{runs.seconds(ours):.2f} s", f"{runs.seconds(theirs):.2f} s",
            )
        large, small = self.peak(name), self.peak(f"few-{name}")
        yield Row(
            f"{case}: memory", "1,000 entries + 40 MB", large / runs.peer_value(small + 40e6), 1.0,
            f"{large / 1e6:.0f} MB", f"{small / 1e6:.0f} MB for 1,000",
        )

    def gallery(self, name):
        with self.bench.folder() as folder:
            return self.bench.sync(folder, self.site.plain + name, "--metadata-only")

    def peak(self, name):
        return max(self.gallery(name).peak_bytes for _ in range(3))

    def python(self, name):
        with self.bench.folder() as folder:
            script = self.bench.benchmarks / PEER
            arguments = [self.site.plain + name, self.schema, folder / "library.sqlite"]
            return runs.Run([self.bench.python, script, *arguments])

    def read_schema(self):
        """The schema of a library, without the tables that SQLite makes by itself."""
        with self.bench.folder() as folder:
            self.bench.sync(folder, self.site.plain + "few-feed.json", "--metadata-only")
            file = folder / "gallery.sqlite"
            text = subprocess.check_output(["sqlite3", file, ".schema"], text=True)
        own = ("CREATE TABLE sqlite_", "CREATE TABLE IF NOT EXISTS 'image_search_")
        return "".join(line + "\n" for line in text.splitlines() if not line.startswith(own))
