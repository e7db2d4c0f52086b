"""Originals that give way in a library of a million images, and how long another writer waits meanwhile."""

import contextlib
import sqlite3
import subprocess
import sys

from harness import data, runs, servers
from harness.rows import Row

# The bounds of the case, in seconds: for all of it, and for the wait of another writer.
SECONDS, WAIT = 2.0, 0.05
# Writes now and then, as another gallery does, until its input ends. It prints its longest wait in seconds.
WRITER = """
import select, sqlite3, sys, time
database = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)
longest = 0
while not select.select([sys.stdin], [], [], 0.003)[0]:
    start = time.monotonic()
    while True:
        try:
            database.execute("BEGIN IMMEDIATE")
            break
        except sqlite3.OperationalError:
            time.sleep(0.001)
    longest = max(longest, time.monotonic() - start)
    database.execute("COMMIT")
print(longest)
"""


def rows(bench):
    many, few = bench.size(1_000_000, 20_000), bench.size(10_000, 200)
    with bench.folder() as work, bench.folder() as library:
        data.write_thumbnails(work / "originals", few)
        (work / "thumbnails").symlink_to("originals")
        data.write_list(work / "many.json", many, "Many")
        data.write_media_rss(work / "few.xml", few, "Few")
        data.write_media_rss(work / "one.xml", 1, "One")
        with servers.site(work) as site:
            bench.sync(library, site.plain + "many.json", "--metadata-only", "--no-limits")
            bench.sync(library, site.plain + "few.xml", "--originals", "--no-limits")
            bench.sync(library, site.plain + "one.xml", "--metadata-only")
            (work / "originals/1.jpg").write_bytes((work / "originals/2.jpg").read_bytes() + b"\0")
            runs.peaks.clear()
            yield from eviction(bench, library, work, few, many)


def eviction(bench, library, work, count, many):
    """Shows an image whose original only has room if all others are deleted."""
    shown = next(iter(bench.listed(library, "--feed", "One")))["id"]
    with another_writer(library) as writer:
        run = runs.Run([
            bench.gallery, "show", shown, "--cache", library, "--keep", "20K", "--output", work / "shown.jpg",
        ])
        wait = float(writer.communicate("\n")[0])
    with contextlib.closing(sqlite3.connect(library / "gallery.sqlite")) as database:
        left, = database.execute("SELECT count(*) FROM original").fetchone()
    bench.check("originals left", left < 4, True)
    case = f"{count} originals give way, library of {many + count + 1}"
    yield Row(case, "2 s", run.seconds / SECONDS, 1.0, f"{run.seconds:.2f} s", "")
    yield Row(
        f"{case}: longest wait of another writer", "50 ms", wait / WAIT, 1.0, f"{wait * 1000:.0f} ms", ""
    )


@contextlib.contextmanager
def another_writer(library):
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, library / "gallery.sqlite"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
