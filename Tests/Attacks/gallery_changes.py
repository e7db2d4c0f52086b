"""Galleries whose answers are endless, contradictory, at every limit, or none."""

import gzip
import json
import signal
import subprocess
import time
import zlib

import programs

from .common import Run, part
from .galleries import CHANGES, LARGEST, LIBRARY, Gallery, check_sound, copied, delete, feed, image, page, pin
from .processes import environment

OTHER = "99999999-2222-4333-8444-555555555555"


# Answers to a request for changes that no gallery sends, by name: the body, the status, and the fields.
ODD = {
    "no content": (b"", 204, {}),
    "a part": (page([feed()], "1.1"), 206, {"Content_Range": "bytes 0-99/99"}),
    "unchanged": (b"", 304, {}),
    "too old": (b"{}", 410, {}),
    "a redirect without an address": (b"", 302, {}),
    "a redirect to a file": (b"", 302, {"Location": "file:///etc/passwd"}),
    "a redirect to a link-local address": (b"", 302, {"Location": "http://169.254.169.254/latest/"}),
    "nothing": (b"", 200, {}),
    "half of a line": (b'{"seq":1,"op":"put"', 200, {}),
    "deep nesting": (b"[" * 200_000 + b"\n" + page([], "1.1"), 200, {}),
    "nesting in a line": (b'{"seq":1,"op":"put","type":"image","id":1,"data":' + b'{"a":' * 90_000 + b"\n", 200, {}),
    "a long line": (b'{"seq":' + b"1" * (2 << 20), 200, {}),
    "half of its gzip": (gzip.compress(page([feed()], "1.1"))[:-9], 200, {"Content_Encoding": "gzip"}),
    "gzip that is plain text": (page([feed()], "1.1"), 200, {"Content_Encoding": "gzip"}),
    "gzip in gzip": (gzip.compress(gzip.compress(page([feed()], "1.1"))), 200, {"Content_Encoding": "gzip, gzip"}),
    "a bomb": (gzip.compress(bytes(200 << 20), 9), 200, {"Content_Encoding": "gzip"}),
    "a bomb of lines": (gzip.compress(b"\n" * (200 << 20), 9), 200, {"Content_Encoding": "gzip"}),
    "a bomb of deflate": (zlib.compress(b'{"a":1}\n' * (20 << 20), 9), 200, {"Content_Encoding": "deflate"}),
    "a negative length": (b"", 200, {"Content_Length": "-1"}),
    "numbers beyond 64 bits": (page([{"seq": 1 << 64, "op": "delete", "type": "image", "id": 1}], "1.1"), 200, {}),
    "a cursor of another kind": (page([], "a/../b"), 200, {}),
    "a long cursor": (page([], "a" * 5_000), 200, {}),
    "no cursor": (b'{"more":false,"library":"x"}\n', 200, {}),
}


@part(long=True, seconds=120)
def odd_answers(run: Run):
    """An answer that no gallery sends ends the sync with a message, within the bounds, and changes nothing."""
    source = Gallery(run, [feed(), *[image(number) for number in range(1, 31)]])
    library = copied(run, source)
    names = run.gallery(library, "list").out
    for name, (body, status, fields) in ODD.items():

        def answer(request, path, query):
            request.send(body, status, kind="application/x-ndjson", **fields)
            return True

        source.answer = answer
        for place in ([], [source.address]) if run.is_long else ([],):
            command = run.gallery(library, "sync", "--force", *place, status=None)
            run.among(command.status, {0, 1}, f"{name}: {command.output[-200:]}")
        source.answer = None
    run.equal(run.gallery(library, "list").out, names, "images after odd answers")
    check_sound(run, library)


@part(long=True)
def endless_changes(run: Run):
    """Changes without an end stop at a limit, which the message names."""
    for name, answer in {
        "empty pages": lambda number: ([], f"c{number}", LIBRARY),
        "the same cursor": lambda number: ([feed()], "c", LIBRARY),
        "two cursors in turn": lambda number: ([feed()], f"c{number % 2}", LIBRARY),
        "another library each time": lambda number: ([feed()], f"c{number}", f"library{number}"),
        "one image again and again": lambda number: ([feed(), image(1, number)], f"c{number}", LIBRARY),
    }.items():
        source, numbers = Gallery(run), iter(range(1, 1 << 30))

        def endless(request, path, query, answer=answer, source=source, numbers=numbers):
            if path != CHANGES:
                return False
            changes, cursor, library = answer(next(numbers))
            source.send(request, page(changes, cursor, True, library))
            return True

        source.answer = endless
        library = run.folder / name.replace(" ", "-")
        run.gallery(library, "sync", source.address, status=1)
        run.check(len(source.requests) < 1_200, f"{name}: {len(source.requests)} requests")


@part(long=True, seconds=120)
def largest_pages(run: Run):
    """Pages at every limit take little memory, and no transaction of them keeps other programs waiting."""
    text = "c " * 30_000
    size = run.number(1_500, 5_000)
    for name, pages in {
        "feeds": [[feed(number) for number in range(1, size)], [feed(number) for number in range(size, 2 * size)]],
        "images": [[feed(), *[image(number) for number in range(1, size)]]],
        "texts": [[feed(), *[image(number, caption=f"{number} {text}") for number in range(1, run.number(60, 500))]]],
        "deletions": [[feed(), image(1)], [delete("image", number) for number in range(1, size)]],
        "pins": [
            [
                feed(),
                *[image(number) for number in range(1, size // 2)],
                *[pin(number) for number in range(1, size // 2)],
            ]
        ],
    }.items():
        source = Gallery(run, *pages)
        library = run.library(Gallery(run, [feed(9_999_999)], library=OTHER).address, name=name)
        run.gallery(library, "sync", source.address, "--metadata-only", seconds=100)


# Members of lines at the ends of their ranges.
EXTREMES = [
    {"id": LARGEST},
    {"id": LARGEST, "seq": LARGEST},
    {"seq": LARGEST},
    {"position": LARGEST},
    {"position": -LARGEST - 1},
    {"width": LARGEST, "height": LARGEST, "bytes": LARGEST},
    {"width": -1, "height": 0, "bytes": -LARGEST - 1},
    *[
        {"date": date, "firstSeen": date, "published": date}
        for date in (
            "9999-12-31T23:59:59Z",
            "0001-01-01T00:00:00Z",
            "292277026596-12-04T15:30:07Z",
            "2026-11-02T08:00:60Z",
        )
    ],
    {"originalURL": "file:///etc/hostname"},
    {"originalURL": "javascript:alert(1)"},
    {"pageURL": "javascript:alert(1)", "licence": "javascript:alert(2)"},
    {"title": "W" * 60_000},
    {"title": "\x1b]0;x\x07\u202e\0", "entry": "a\0b", "author": "\x1b[2J"},
    {"feed": LARGEST},
    {"feed": -1},
]


@part(long=True, long_seconds=1_200)
def extreme_values(run: Run):
    """Numbers, dates and texts at their limits are stored or left out; each command works on the copy."""
    commands = [
        ["list"],
        ["list", "--json"],
        ["list", "--sort", "title"],
        ["feeds", "--json"],
        ["status"],
        ["show", "1", "--info", "--json"],
        ["sync"],
        ["sync", "--force"],
        ["verify"],
        ["clean", "--dry-run"],
        ["export", "--static", str(run.folder / "site")],
        ["export", str(run.folder / "files")],
        ["why", "1"],
    ]
    picked = EXTREMES if run.is_long else run.chance.sample(EXTREMES, 4)
    for number, extreme in enumerate(picked):
        source = Gallery(run)
        own = {
            "thumbnail": source.picture("t"),
            **{name: value for name, value in extreme.items() if name not in ("id", "seq")},
        }
        source.pages = [[feed(), image(extreme.get("id", 1), extreme.get("seq", 1), **own), image(2)]]
        library = copied(run, source, f"copy{number}")
        for command in commands if run.is_long else run.chance.sample(commands, 4):
            result = run.gallery(library, *command, status=None)
            run.among(result.status, {0, 1, 2, 3, 4}, f"{extreme} {command}")
            run.check(
                "\x1b" not in result.output and "\u202e" not in result.output, f"{command} prints control characters"
            )


@part(long=True)
def waits_that_a_gallery_asks_for(run: Run):
    """No answer makes a mirror wait for more than a day, or ends other feeds."""
    site = run.site()
    source = Gallery(run, [feed(), image(1)])
    library = run.library(source.address, site.address + "/feed/a/3")
    for fields in (
        {"Retry_After": "99999999999999999999"},
        {"Retry_After": "Fri, 31 Dec 9999 23:59:59 GMT"},
        {"Retry_After": "-5"},
        {"Cache_Control": "max-age=99999999999999999999", "Date": "Fri, 31 Dec 9999 23:59:59 GMT"},
    ):
        source.answer = lambda request, path, query: bool(request.send("{}", 503, **fields) or True)
        run.gallery(library, "sync", status=None, seconds=100)
        next_sync = [
            json.loads(line).get("nextSync") for line in run.gallery(library, "feeds", "--json").out.splitlines()
        ]
        later = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 2 * 86_400))
        run.check(all(text is None or text < later for text in next_sync), f"{fields}: {next_sync}")


@part(long=True)
def interruption(run: Run):
    """Ctrl-C ends a sync at once, whatever the gallery does."""

    def drip(request, path, query):
        request.send_response_only(200)
        request.send_header("Content-Type", "application/x-ndjson")
        request.end_headers()
        for _ in range(600):
            request.wfile.write(b" " * 100)
            time.sleep(0.05)
        return True

    def many(request, path, query):
        number = int(query.rpartition(".")[2] or 0) if query else 0
        request.send(
            page([feed(), *[image(number * 900 + at) for at in range(1, 900)]], f"1.{number + 1}", True),
            kind="application/x-ndjson",
        )
        return True

    for name, answer in (("drip", drip), ("many", many)):
        source = Gallery(run)
        source.answer = answer
        library = run.folder / name
        process = subprocess.Popen(
            [programs.path("gallery"), "sync", "--no-limits", source.address],
            env=environment(library),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        run.everything.callback(process.kill)
        while not source.requests:
            time.sleep(0.01)
        time.sleep(1)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.wait(30)
        run.note(f"{name}: ended after {time.monotonic() - begin:.2f} s")
        # Others work beside the driver, so the bound of one second has room.
        run.check(time.monotonic() - begin < 5, f"{name}: ended after {time.monotonic() - begin:.1f} s")
        check_sound(run, library)


@part(long=True)
def secrets_in_addresses(run: Run):
    """No secret in an address that a gallery names, or that leads to it, is printed or served."""
    secret = "S3CR3TW0RD"
    source = Gallery(
        run,
        [
            feed(url=f"https://user:{secret}@own.example/1"),
            image(
                1,
                originalURL=f"https://user:{secret}@own.example/1.png",
                pageURL=f"https://user:{secret}@own.example/",
            ),
        ],
    )
    library = run.folder / "copy"
    run.gallery(library, "sync", source.address.replace("http://", f"http://any:{secret}@"))
    server = run.serve(library)
    for words in (
        ["feeds"],
        ["feeds", "--json"],
        ["feeds", "--opml"],
        ["list", "--json"],
        ["show", "1", "--info"],
        ["sync", "--verbose"],
        ["status"],
        ["why", "1"],
    ):
        run.check(secret not in run.gallery(library, *words, status=None).output, f"{words} prints a secret")
    for path in (
        "/",
        "/images/1",
        "/feeds",
        "/api/v1/feeds",
        "/api/v1/images",
        CHANGES,
        "/images.json",
        "/images.rss",
    ):
        run.check(secret not in server.ask(path).body.decode(errors="replace"), f"{path} serves a secret")
