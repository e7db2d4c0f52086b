#!/usr/bin/env python3
"""Serves a library of demo photographs with the built programs, and exports it; drives the pages of both in Chromium.

  run.py FOLDER-OF-PROGRAMS [--engines | --first-open]

With --engines, it walks through the tasks of a reader in Firefox and WebKit instead, and ends with 69 if one of them is
not installed. With --first-open, it prints how soon a slow phone shows the first pictures of a large library. The feeds
are on loopback. The program stops everything that it starts.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import threading
from datetime import datetime, timedelta
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import edges
import engines
import export
import first
import offline
import pages

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "Scripts" / "demo-feed"
NEWEST = datetime(2026, 11, 20, 8)


def feed(title, newer, count, origin):
    """A Media RSS document with an image for every other day, and `newer` ones before them."""
    names = sorted(path.name for path in (DEMO / "originals").iterdir())
    items = []
    for number in range(-newer, count):
        name = names[number % len(names)]
        date = (NEWEST - timedelta(days=2 * number)).strftime("%a, %d %b %Y %H:%M:%S +0000")
        items.append(
            f'<item><guid isPermaLink="false">{title}{number}</guid><title>Photo {number}</title>'
            f"<description>Caption {number}</description><pubDate>{date}</pubDate>"
            f'<media:content url="{origin}/originals/{name}?{title}{number}" medium="image"/>'
            f'<media:thumbnail url="{origin}/thumbnails/{name}?{title}{number}" width="320" height="213"/></item>'
        )
    return (
        '<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel>'
        f"<title>{title}</title>{''.join(items)}</channel></rss>"
    ).encode()


class Site(SimpleHTTPRequestHandler):
    """Serves the demo photographs, and the feeds `/Many.xml` and `/More.xml`, which can get newer images.

    `/Hangs.xml` never answers.
    """

    newer = 0
    counts = {"/Many.xml": 60, "/More.xml": 9, "/Years.xml": 150}

    def do_GET(self):
        # Two pictures fail.
        if re.search(r"/(thumbnails|originals)/.*\?Years[79]$", self.path):
            return self.send_error(404)
        if self.path == "/Hangs.xml":
            # Until the client leaves.
            self.connection.recv(1)
            self.close_connection = True
            return
        if self.path not in self.counts:
            return super().do_GET()
        origin = "http://127.0.0.1:%d" % self.server.server_port
        body = feed(self.path[1:-4], Site.newer, self.counts[self.path], origin)
        self.send_response(200)
        self.send_header("Content-Type", "application/rss+xml")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class Server:
    """`gallery serve`, which can be stopped, and started again at the same port."""

    def __init__(self, gallery, library):
        self.gallery = [gallery, *library]
        self.port = 0
        self.start()

    def start(self):
        listen = ["--listen", f"127.0.0.1:{self.port}"]
        command = [*self.gallery, "serve", "--sync", "off", *listen]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        self.port = re.search(r":(\d+)/", self.address).group(1)

    def sync(self):
        subprocess.run([*self.gallery, "sync", "--quiet"], check=True)

    def stop(self):
        self.process.terminate()
        return self.process.wait(timeout=60)


def publish(count):
    """Adds `count` newer images to the feeds; returns the number of the newest."""
    Site.newer += count
    return -Site.newer


def export_site(gallery, library, feed, site):
    """Syncs the library, fetches the original of the newest image, and exports the site."""
    command = [gallery, *library]
    subprocess.run([*command, "sync", feed], check=True)
    listed = subprocess.run([*command, "list", "--limit", "1"], check=True, stdout=subprocess.PIPE, text=True)
    subprocess.run([*command, "show", listed.stdout.split()[0]], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([*command, "export", "--static", site], check=True)


def change(*arguments):
    publish(2)
    export_site(*arguments)


def try_pages(gallery, library, body, origin):
    """Serves a library while `body` tests its pages; returns the exit status of the server."""
    server = Server(gallery, library)
    try:
        body(argparse.Namespace(address=server.address, feed=f"{origin}/More.xml", shots=None), server)
    finally:
        ended = server.stop()
    return ended


def walk(gallery, library, origin):
    """Walks through the pages in the other engines; returns the exit status."""
    missing = []
    ended = try_pages(gallery, library, lambda *arguments: missing.extend(engines.run(*arguments)), origin)
    if missing:
        print(f"not installed: {' and '.join(missing)}", file=sys.stderr)
    # The status EX_UNAVAILABLE of sysexits.h.
    return ended or (69 if missing else 0)


def measure(gallery, folder):
    """Measures the first open of a large library; returns the exit status."""
    site = ThreadingHTTPServer(("127.0.0.1", 0), first.LargeSite)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    origin = f"http://127.0.0.1:{site.server_port}"
    library = ["--cache", f"{folder}/large"]
    subprocess.run([gallery, *library, "sync", f"{origin}/Large.xml"], check=True)
    return try_pages(gallery, library, first.run, origin)


def main():
    gallery = str(Path(sys.argv[1]) / "gallery")
    site = ThreadingHTTPServer(("127.0.0.1", 0), partial(Site, directory=str(DEMO)))
    threading.Thread(target=site.serve_forever, daemon=True).start()
    origin = f"http://127.0.0.1:{site.server_port}"
    with tempfile.TemporaryDirectory() as folder:
        if "--first-open" in sys.argv:
            sys.exit(measure(gallery, folder))
        years = ["--cache", f"{folder}/years"]
        # Two thumbnails fail.
        subprocess.run([gallery, *years, "sync", f"{origin}/Years.xml"])
        if "--engines" in sys.argv:
            sys.exit(walk(gallery, years, origin))
        library = ["--cache", f"{folder}/library"]
        subprocess.run([gallery, *library, "sync", f"{origin}/Many.xml"], check=True)
        ended = try_pages(gallery, library, lambda options, server: pages.run(options, server, publish), origin)
        arguments = (gallery, library, f"{origin}/Many.xml", f"{folder}/site")
        export_site(*arguments)
        export.run(f"{folder}/site", partial(change, *arguments))
        ended |= try_pages(gallery, years, edges.run, origin)
        ended |= try_pages(gallery, ["--cache", f"{folder}/empty"], edges.begin, origin)
        kept = ["--cache", f"{folder}/kept"]
        subprocess.run([gallery, *kept, "sync", f"{origin}/Many.xml"], check=True)
        ended |= try_pages(gallery, kept, lambda options, server: offline.run(options, server, publish), origin)
    sys.exit(ended)


if __name__ == "__main__":
    main()
