"""What the benchmarks share: data made from a seed, a server on loopback, measured runs."""

import contextlib
import json
import os
import pathlib
import random
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time

CHECKOUT = pathlib.Path(__file__).resolve().parent.parent
SEED = 20_261_101
# No run of either side takes minutes; one that does is ended, and the benchmark with it.
TIME_LIMIT = 600


def add_program(parser):
    parser.add_argument(
        "--gallery",
        type=pathlib.Path,
        default=CHECKOUT / ".build/release/gallery",
        help="the program to measure (default: the checkout's release build)",
    )


def parse(parser):
    """The options, once it is sure that there is a program to measure."""
    options = parser.parse_args()
    if not options.gallery.exists():
        sys.exit(
            f"cannot find '{options.gallery}': build it with "
            "'swift build -c release --static-swift-stdlib' — or name another with --gallery"
        )
    return options


@contextlib.contextmanager
def work_folder():
    """A folder that is removed at the end, also after Ctrl-C and a polite kill."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix="gallery-bench-") as folder:
        yield pathlib.Path(folder)


@contextlib.contextmanager
def server(folder):
    """Serves a folder on loopback; gives its address, which ends in a slash."""
    process = subprocess.Popen(
        [CHECKOUT / "Scripts/serve", folder], stdout=subprocess.PIPE, text=True
    )
    try:
        address = process.stdout.readline().strip()
        if not address:
            sys.exit("cannot serve: see above — 'Scripts/setup nginx' installs what is needed")
        yield address
    finally:
        process.terminate()
        process.wait()


class Run:
    """What one run of a command took."""

    def __init__(self, command, cwd=None, errors=None):
        began = time.perf_counter()
        process = subprocess.Popen(
            [str(part) for part in command], cwd=cwd, stdout=subprocess.DEVNULL, stderr=errors
        )
        watch = threading.Timer(TIME_LIMIT, process.kill)
        watch.start()
        _, status, usage = os.wait4(process.pid, 0)
        self.seconds = time.perf_counter() - began
        watch.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        self.processor_seconds = usage.ru_utime + usage.ru_stime
        if process.returncode != 0:
            sys.exit(f"exit {process.returncode} from: {' '.join(map(str, command))}")


def output_lines(command):
    """The lines a command prints, however many, without keeping them."""
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE)
    yield from process.stdout
    if process.wait() != 0:
        sys.exit(f"exit {process.returncode} from: {' '.join(map(str, command))}")


def stored_thumbnails(gallery, cache):
    lines = output_lines([gallery, "list", "--json", "--cache", cache])
    return sum(json.loads(line)["thumbnail"]["stored"] for line in lines)


def alternate(runs, *sides):
    """Runs each side once in turn, after a run of each that does not count.

    So a machine that grows slower or faster meanwhile does so for all of them.
    """
    for side in sides:
        side()
    results = [[side() for side in sides] for _ in range(runs)]
    return [list(column) for column in zip(*results)]


def median(values):
    return statistics.median(values)


def ratio(ours, theirs):
    """The median of the ratios of the runs that were made side by side."""
    return median([a / b for a, b in zip(ours, theirs)])


def table(head, rows):
    cells = [[str(cell) for cell in row] for row in [head, ["---"] * len(head), *rows]]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    for row in cells:
        padded = (cell.ljust(width) for cell, width in zip(row, widths))
        print("| " + " | ".join(padded) + " |")


def write_thumbnails(folder, count, generator):
    """JPEG files of 4 to 16 KB; answers how many bytes they have."""
    folder.mkdir()
    total = 0
    for number in range(1, count + 1):
        picture = jpeg(generator.randint(4 << 10, 16 << 10), generator)
        (folder / f"{number}.jpg").write_bytes(picture)
        total += len(picture)
    return total


def segment(marker, body):
    return bytes([0xFF, marker]) + (len(body) + 2).to_bytes(2, "big") + body


def jpeg(size, generator):
    """A grey picture of 320 by 216 pixels that any decoder takes, filled up with comments.

    Its tables have one code each, of one bit: "no difference" and "end of block".
    """
    one_code = b"\1" + b"\0" * 15 + b"\0"
    start = [
        b"\xff\xd8",
        segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0"),
        segment(0xDB, b"\0" + b"\1" * 64),
        segment(0xC0, struct.pack(">BHHB", 8, 216, 320, 1) + b"\1\x11\0"),
        segment(0xC4, b"\0" + one_code + b"\x10" + one_code),
    ]
    scan = segment(0xDA, b"\1\1\0\0\x3f\0") + b"\0" * (40 * 27 * 2 // 8) + b"\xff\xd9"
    parts, missing = start, size - len(scan) - sum(map(len, start))
    while missing > 4:
        comment = segment(0xFE, generator.randbytes(min(missing - 4, 65_533)))
        parts.append(comment)
        missing -= len(comment)
    return b"".join([*parts, scan])


def write_media_rss(path, count, fetched):
    """A Media RSS feed; `fetched` is the folder of what is fetched for an entry."""
    with open(path, "w", encoding="utf-8") as feed:
        feed.write(
            '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"'
            ' xmlns:media="http://search.yahoo.com/mrss/"><channel><title>Benchmark</title>\n'
        )
        for number in range(1, count + 1):
            feed.write(
                f"<item><title>Picture {number}</title><guid>entry-{number}</guid>"
                f"<pubDate>{rss_date(number)}</pubDate>"
                f'<media:content url="originals/{number}.jpg" type="image/jpeg"/>'
                f'<media:thumbnail url="{fetched}/{number}.jpg"/></item>\n'
            )
        feed.write("</channel></rss>\n")


def rss_date(number):
    return time.strftime("%a, %d %b %Y %H:%M:%S GMT", moment(number))


def moment(number):
    """A minute earlier for each entry: the newest comes first, as in most feeds."""
    return time.gmtime(1_700_000_000 - 60 * number)


def write_json_feed(path, count):
    """A JSON list of images with what a photo site gives of each."""
    generator = random.Random(SEED)
    words = "light river stone winter harbour field cloud garden bridge evening".split()
    with open(path, "w", encoding="utf-8") as feed:
        feed.write('{"title": "Benchmark", "images": [\n')
        for number in range(1, count + 1):
            entry = {
                "id": f"image-{number}",
                "title": " ".join(generator.choices(words, k=3)).capitalize(),
                "author": f"Author {generator.randint(1, 500)}",
                "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", moment(number)),
                "thumbnail": f"thumbnails/{number}.jpg",
                "original": f"originals/{number}.jpg",
                "width": 4000,
                "height": 3000,
            }
            feed.write(json.dumps(entry) + (",\n" if number < count else "\n"))
        feed.write("]}\n")
