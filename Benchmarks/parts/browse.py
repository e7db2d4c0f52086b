"""The whole screen of a terminal: its first view, its keys in a library of a million while a sync runs, and its rest."""

import statistics
import subprocess
import time

from harness import data, runs, servers
from harness.rows import Row
from harness.terminal import Terminal

PAGE_DOWN, END, HOME = b"\x1b[6~", b"\x1b[F", b"\x1b[H"
# The number of images that the screen shows.
SHOWN = 6


def rows(bench):
    many, few = bench.size(1_000_000, 20_000), bench.size(10_000, 200)
    with bench.folder() as work, bench.folder() as library:
        data.write_thumbnails(work / "thumbnails", few)
        data.write_list(work / "many.json", many, "Many")
        data.write_media_rss(work / "few.xml", few, "Few")
        with servers.site(work) as site:
            bench.sync(library, site.plain + "many.json", "--metadata-only", "--no-limits")
            bench.sync(library, site.plain + "few.xml", "--no-limits")
            runs.peaks.clear()
            yield first_screen(bench, library)
            yield keys(bench, library, site, many)
            yield memory(bench, library, few)
            yield from rest(bench, library)


def browse(bench, library, *arguments, **options):
    return Terminal([bench.gallery, "browse", "--offline", "--cache", library, *arguments], **options)


def quit_browsing(screen):
    screen.press(b"q")
    screen.end()


def first_screen(bench, library):
    def ours():
        screen = browse(bench, library, "--feed", "Few")
        seconds = screen.wait_for_silence()
        quit_browsing(screen)
        return seconds

    def listed():
        command = [bench.gallery, "list", "--feed", "Few", "--limit", str(SHOWN), "--pictures", "always"]
        return Terminal([*command, "--cache", library]).end()

    pairs = [(ours(), listed()) for _ in range(bench.runs)]
    seconds, theirs = (statistics.median(side) for side in zip(*pairs))
    ratio = statistics.median(one / runs.peer_value(other) for one, other in pairs)
    return Row("first screen of browse", "list of the same images", ratio, 1.5,
               f"{seconds * 1000:.0f} ms", f"{theirs * 1000:.0f} ms")


def keys(bench, library, site, many):
    screen = browse(bench, library)
    screen.wait_for_silence()
    sync = [bench.gallery, "sync", site.plain + "many.json", "--force", "--metadata-only", "--no-limits"]
    running = subprocess.Popen([*sync, "--cache", library], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    waits = []
    for key in (b"j", b"j", b"j", PAGE_DOWN, b"k", END, b"k", HOME) * bench.size(50, 3):
        waits.append(screen.press(key))
        time.sleep(0.03)
    bench.check("a sync runs while keys are pressed", running.poll() is None or many < 1_000_000, True)
    running.kill()
    running.wait()
    quit_browsing(screen)
    slow = sorted(waits)[int(len(waits) * 0.99) - 1]
    return Row(f"a key to its effect, 99 of 100, library of {many}", "50 ms", slow / 0.05, 1.0,
               f"{slow * 1000:.0f} ms", f"median {statistics.median(waits) * 1000:.0f} ms")


def memory(bench, library, few):
    screen = browse(bench, library, "--feed", "Few")
    for _ in range(few // SHOWN):
        screen.press(PAGE_DOWN)
        while screen.read(0.03):
            pass
    peak = screen.peak()
    quit_browsing(screen)
    return Row(f"memory after {few} pictures", "80 MB", peak / 80e6, 1.0, f"{peak / 1e6:.0f} MB", "")


def rest(bench, library):
    screen = browse(bench, library, "--feed", "Few")
    screen.wait_for_silence()
    before = screen.received
    while screen.read(5):
        pass
    yield Row("bytes in five seconds without a change", "1 byte", screen.received - before, 0, "", "")
    quit_browsing(screen)
    screen = browse(bench, library, "--feed", "Few", bandwidth=1e6)
    screen.wait_for_silence()
    began = time.monotonic() - screen.began
    for _ in range(30):
        screen.press(PAGE_DOWN)
    seconds = screen.wait_for_silence() - began
    quit_browsing(screen)
    yield Row("30 pages at once over 1 MB/s", "1 s", seconds, 1.0, f"{seconds:.2f} s", "")
