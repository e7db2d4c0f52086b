"""Galleries that are like the hostile ones of the other parts, but put together by chance."""

import json
import signal
import subprocess
import time

import programs

from .common import Run, part
from .feed_documents import words
from .galleries import LARGEST, Gallery, check_sound, delete, feed, image, pin
from .processes import environment

EDGES = [0, 1, -1, 7, LARGEST, -LARGEST - 1, LARGEST - 1, 1 << 53]
TEXTS = ["", "x", "\u202e\x1b[31m", "a" * 60_000, words("n", 5_000), "\0", "javascript:alert(1)", "é" * 30_000]


def line(run: Run, source: Gallery, number: int) -> dict:
    """A line of changes with odd values."""
    chance = run.chance
    kind = chance.random()
    if kind < 0.1:
        return feed(chance.choice([1, 2, number]), number, title=chance.choice(TEXTS), imageCount=chance.choice(EDGES))
    if kind < 0.2:
        return delete(chance.choice(["image", "feed", "pin", "x"]), chance.choice([1, number, *EDGES]), number)
    if kind < 0.3:
        return pin(chance.choice([1, number]), number)
    own = {name: chance.choice(TEXTS) for name in chance.sample(["title", "caption", "author", "entry", "licence"], 2)}
    own |= {name: chance.choice(EDGES) for name in chance.sample(["position", "width", "height", "bytes"], 2)}
    if chance.random() < 0.2:
        thumbnail = source.picture(f"t{number % 9}", padding=chance.choice([0, 300_000]))
        own["thumbnail"] = thumbnail | {"bytes": chance.choice([thumbnail["bytes"], 1, LARGEST])}
    return image(chance.choice([number, number % 50, *EDGES]), chance.choice([number, *EDGES]), chance.choice([1, 2, 3]), **own)


def lines(run: Run, source: Gallery, count: int) -> list[dict]:
    chosen = [line(run, source, number) for number in range(1, count)]
    # One that has no place in a page must not keep the others out.
    if run.chance.random() < 0.3:
        chosen.insert(run.chance.randrange(len(chosen)), run.chance.choice([{}, {"op": "put"}, {"seq": "x"}, {"id": None}]))
    return [feed(), feed(2), *chosen]


@part(long=True, seconds=180, long_seconds=3_600)
def galleries_by_chance(run: Run):
    """Whatever lines, numbers, texts and trees a gallery puts together, its mirror stays within the bounds, and the feeds of
    the user stay as they are."""
    site = run.site()
    for number in range(run.number(6, 40)):
        source = Gallery(run, lines(run, Gallery(run), 2))
        size = run.chance.choice([5, 300, run.number(800, 3_000)])
        source.pages = [lines(run, source, size) for _ in range(run.chance.choice([1, 2, 5]))]
        library = run.folder / f"library{number}"
        run.gallery(library, "sync", f"{site.address}/feed/mine/5", "--metadata-only")
        for options in ([source.address], [], [source.address, "--force"], [source.address, "--accept-removals"]):
            command = run.gallery(library, "sync", *options, status=None, seconds=120)
            run.among(command.status, {0, 1, 2}, f"gallery {number} {options[1:]}: {command.output[-200:]}")
            run.check("\x1b" not in command.output and "\u202e" not in command.output, f"gallery {number}: an escape")
        source.grow([feed(1, 5)], {1: [image(at, 5, title=run.chance.choice(TEXTS)) for at in range(1, size)]})
        run.gallery(library, "sync", status=None, seconds=120)
        mine = [name for name in run.gallery(library, "list").out.splitlines() if "mine picture" in name]
        run.equal(len(mine), 5, f"gallery {number}: images of the user")
        check_sound(run, library)


@part(long=True, seconds=120)
def interruptions_by_chance(run: Run):
    """Ctrl-C ends a mirror within a second at any moment, and the library is sound; the next sync goes on."""
    pages = [[feed(), *[image(at, caption=words(at, 900)) for at in range(first, first + 900)]]
             for first in range(1, run.number(4_000, 40_000), 900)]
    source = Gallery(run, *pages)
    library = run.folder / "library"
    slowest = 0.0
    for _ in range(run.number(4, 20)):
        process = subprocess.Popen([programs.path("gallery"), "sync", source.address], env=environment(library),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        run.everything.callback(process.kill)
        time.sleep(run.chance.uniform(0.05, 1.5))
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.wait(60)
        slowest = max(slowest, time.monotonic() - begin)
        if (library / "gallery.sqlite").exists():
            run.gallery(library, "verify", status=None)
    run.note(f"ended after {slowest:.2f} s at most")
    # Others work beside the driver, so the bound of one second has room.
    run.check(slowest < 5, f"ended after {slowest:.1f} s")
    run.gallery(library, "sync", source.address, seconds=110)
    check_sound(run, library)


@part(long=True, seconds=240)
def galleries_of_each_other(run: Run):
    """Galleries that mirror each other do not grow, take no pin and no feed from the user, and tell no token of the others."""
    count, servers, libraries, tokens = 3, [], [], []
    for number in range(count):
        library = run.library(f"{run.site().address}/feed/own{number}/4", name=f"library{number}")
        libraries.append(library)
        servers.append(run.serve(library))
        tokens.append(servers[-1].token("mirror"))
    places = [f"http://127.0.0.1:{server.port}/?token={token}" for server, token in zip(servers, tokens)]
    found: list[list[int]] = []
    for turn in range(run.number(4, 10)):
        if turn == 2:
            run.gallery(libraries[0], "pin", "1")
        for number, library in enumerate(libraries):
            others = [place for other, place in enumerate(places) if other != number]
            run.gallery(library, "sync", *others, "--metadata-only", status=None, seconds=120)
        listed = [json.loads("[" + ",".join(run.gallery(library, "feeds", "--json").out.splitlines()) + "]") for library in libraries]
        found.append([len(feeds) for feeds in listed])
        for number, feeds in enumerate(listed):
            own = [feed for feed in feeds if feed.get("title") == f"Feed own{number}"]
            run.check(len(own) >= 1, f"library {number} has lost its feed in turn {turn}")
    run.check(all(sizes == found[2] for sizes in found[2:]), f"the feeds of each library grow: {found}")
    for number, library in enumerate(libraries):
        images = len(run.gallery(library, "list", "--no-limit").out.splitlines())
        run.check(images <= 4 * (1 + 2 * (count - 1)), f"library {number} has {images} images")
        for path in ("/api/v1/feeds", "/api/v1/changes", "/feeds", "/api/v1/tree/root", "/feeds.opml"):
            body = servers[number].ask(path).body.decode(errors="replace")
            told = [other for other, token in enumerate(tokens) if token in body]
            run.equal(told, [], f"library {number}: tokens in {path}")
        check_sound(run, library)
    for server in servers:
        run.bounded(server)
    run.note(f"feeds {found[0]} to {found[-1]}")
