"""Measures how soon a slow phone shows the first pictures of a large library, and prints it. No time fails a check."""

import functools
import random
import statistics
import struct
import zlib
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler

from playwright.sync_api import sync_playwright

from pages import wait_until

IMAGES = 20_000
THUMBNAILS = 310
RUNS = 5
PHONE = {"width": 390, "height": 844}
# The network in bytes per second and milliseconds, and the factor by which the processor is slower.
NETWORK = {"offline": False, "latency": 150, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
SLOWER = 4
# When five pictures in the window are there, in milliseconds after the navigation began; null before.
WATCH = """(() => {
  const look = () => {
    const seen = [...document.querySelectorAll('main img')].filter((image) => {
      const box = image.getBoundingClientRect();
      return image.complete && image.naturalWidth > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight;
    });
    if (seen.length >= 5) window.firstPictures = performance.now();
    else requestAnimationFrame(look);
  };
  look();
})()"""


@functools.cache
def thumbnail(seed):
    """A PNG of about 4 KB: squares of similar colours."""
    colours = random.Random(seed)
    base, rows, side = [colours.randrange(256) for _ in range(3)], b"", 10
    for top in range(0, 213, side):
        row = b"".join(
            bytes(min(255, max(0, part + colours.randrange(-64, 64))) for part in base) * side for _ in range(320 // side)
        )
        rows += (b"\0" + row) * min(side, 213 - top)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 320, 213, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


class LargeSite(BaseHTTPRequestHandler):
    """Serves `/Large.xml`, a feed of fifteen years, and its thumbnails."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.path == "/Large.xml":
            self.send("application/rss+xml", self.feed())
        elif self.path.startswith("/t/"):
            self.send("image/png", thumbnail(int(self.path.split("?")[0][3:])))
        else:
            self.send_error(404)

    def feed(self):
        origin = f"http://127.0.0.1:{self.server.server_port}"
        newest, items = datetime(2026, 11, 20, 8), []
        for number in range(IMAGES):
            date = (newest - timedelta(hours=6.5 * number)).strftime("%a, %d %b %Y %H:%M:%S +0000")
            items.append(
                f'<item><guid isPermaLink="false">{number}</guid><title>Photo {number}</title><pubDate>{date}</pubDate>'
                f'<media:content url="{origin}/o/{number}.png" medium="image" width="1600" height="1065"/>'
                f'<media:thumbnail url="{origin}/t/{number % THUMBNAILS}?{number}" width="320" height="213"/></item>'
            )
        return (
            '<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>Large</title>'
            f"{''.join(items)}</channel></rss>"
        ).encode()

    def send(self, kind, body):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def first_open(browser, address, state):
    """Opens the list in a fresh browser; returns the seconds to five pictures, and the bytes and answers until then."""
    context = browser.new_context(
        viewport=PHONE, device_scale_factor=3, is_mobile=True, has_touch=True, storage_state=state
    )
    page = context.new_page()
    page.add_init_script(WATCH)
    session = context.new_cdp_session(page)
    received = []
    session.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", NETWORK)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(address, wait_until="commit")
    wait_until(page, "window.firstPictures > 0")
    size, answers = sum(received), len(received)
    seconds = page.evaluate("window.firstPictures") / 1000
    context.close()
    return seconds, size, answers


def run(options, server):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        context = browser.new_context()
        page = context.new_page()
        page.goto(options.address)
        home, state = page.url, context.storage_state()
        context.close()
        runs = [first_open(browser, home, state) for _ in range(RUNS)]
        browser.close()
    seconds, size, answers = (statistics.median(column) for column in zip(*runs))
    print(f"first open of {IMAGES:,} images, phone, 400 kbit/s, 150 ms, processor ÷ {SLOWER}: five pictures after")
    print(f"{seconds:.2f} s (median of {', '.join(f'{one:.2f}' for one, *_ in runs)}), {size / 1000:.0f} KB in {answers} answers until then")
