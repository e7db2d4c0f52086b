"""What the parts share: a temporary folder, a site on loopback, and `gallery`."""

import contextlib
import functools
import http.server
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

# A command that takes longer hangs.
SECONDS = 300
# 2026-07-01T10:00:00Z, in seconds after 1970.
DATE = 1_782_900_000


class Tools(contextlib.ExitStack):
    """The folder, the site and the servers of one part. Everything ends with it."""

    def __init__(self, programs, long):
        super().__init__()
        self.programs, self.long = programs, long
        self.folder = pathlib.Path(self.enter_context(tempfile.TemporaryDirectory()))
        self.site = self.folder / "site"
        self.site.mkdir()
        self.address = self.serve(self.site)
        self.libraries, self.servers, self.date = 0, [], DATE
        self.callback(lambda: [server.kill() for server in self.servers])

    def serve(self, folder):
        """Serves the files of a folder at the address that it returns."""
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.callback(server.shutdown)
        return f"http://127.0.0.1:{server.server_port}"

    @property
    def environment(self):
        """The environment of every program: no settings of the user, and the same language and time everywhere."""
        path = f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
        return {"PATH": path, "HOME": str(self.folder), "LC_ALL": "C.UTF-8", "TZ": "UTC", "GALLERY_CONFIG": "/dev/null"}

    def run(self, *command, input=None, folder=None, accept=(0,), seconds=SECONDS):
        """Runs a program, and returns what it prints. It must end with one of these statuses."""
        found = subprocess.run(
            command, input=input, cwd=folder or self.folder, env=self.environment, capture_output=True, text=True,
            timeout=seconds,
        )
        if found.returncode not in accept:
            words = " ".join(map(str, command))
            raise RuntimeError(f"{words}: {found.returncode}\n{found.stdout[-4000:]}\n{found.stderr[-4000:]}")
        return found.stdout

    def write(self, name, text):
        """Writes a file of the temporary folder, and returns its path."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def picture(self, name, width=640, height=426, **options):
        """Draws a picture into the temporary folder: a gradient of a colour that follows from its name."""
        from PIL import Image

        red, green, blue = ((sum(name.encode()) * factor) % 256 for factor in (37, 91, 151))
        image = Image.linear_gradient("L").resize((width, height))
        bands = [image.point(lambda value, top=top: value * top // 255) for top in (red, green, blue)]
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.merge("RGB", bands).save(path, **options)
        # Generators take the date of a picture from its file. Each is a minute younger than the one before.
        self.date += 60
        os.utime(path, (self.date, self.date))
        return path

    def gallery(self, *arguments, input=None, accept=(0,)):
        return self.run(self.programs / "gallery", *arguments, input=input, accept=accept)

    def followed(self, *feeds, input=None, options=()):
        """What a sync of these feeds, or of this document, brings into a new library."""
        self.libraries += 1
        library = ["--cache", self.folder / f"library-{self.libraries}"]
        arguments = ["sync", "--json", *options, *library, *(feeds or ["-"])]
        unused = [
            f"not used {passed['url']}: {passed['reason']}"
            for entry in objects(self.gallery(*arguments, "--explain", input=input, accept=(0, 2)))
            for passed in entry.get("passed", [])
        ]
        lines = []
        for feed in objects(self.gallery(*arguments, input=input, accept=(0, 2))):
            if "feed" in feed:
                lines += feed_facts(feed)
        ids = [str(image["id"]) for image in objects(self.gallery("list", *library, "--json", "--sort", "feed"))]
        if ids:
            for image in objects(self.gallery("show", *library, "--info", "--json", *ids)):
                lines += image_facts(image)
        return self.plain(lines + unused)

    def plain(self, lines):
        """Lines without what is different in each run: ports and folders."""
        names = [(self.address, "SITE"), (str(self.folder), "FOLDER")]
        plain = []
        for line in lines:
            for changing, name in names:
                line = line.replace(changing, name).replace(urllib.parse.quote(changing, safe=""), name)
            plain.append(line)
        return plain

    def serve_library(self, library, sync="off", errors=None, port=0, options=()):
        """Serves a library; returns the printed address and the token. The server must end with success."""
        listen = ["--listen", f"127.0.0.1:{port}"]
        server = subprocess.Popen(
            [self.programs / "gallery", "serve", "--cache", library, *listen, "--sync", sync, *options],
            stdout=subprocess.PIPE, stderr=errors, text=True, env=self.environment,
        )
        self.servers.append(server)
        printed = urllib.parse.urlsplit(server.stdout.readline().strip())
        return f"http://{printed.netloc}", urllib.parse.parse_qs(printed.query)["token"][0]

    def stop_servers(self):
        """Ends the servers of libraries, which must succeed."""
        for server in self.servers:
            server.terminate()
        ended = [server.wait(timeout=60) for server in self.servers]
        self.servers = []
        if any(ended):
            raise RuntimeError(f"servers ended with {ended}")


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files, also to clients that take it for a proxy of any site."""

    def translate_path(self, path):
        return super().translate_path(urllib.parse.urlsplit(path).path)

    def log_message(self, *arguments):
        pass


def objects(text):
    """The objects of JSON Lines."""
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def feed_facts(feed):
    """A feed and its problems, as a sync reports them."""
    named, count = feed["feed"], feed["images"]["total"]
    yield f"feed {named['title']!r}, {named['format']}: {count} image{'' if count == 1 else 's'}"
    for problem in feed["problems"]:
        yield f"  {problem['severity']}: {problem['reason']}, {problem['url']}"


def image_facts(image):
    """An image of a library, one fact a line."""
    yield f"image {image['title']!r}"
    members = {
        "caption": image["caption"], "author": image["author"], "licence": image["licence"],
        "date": image["published"], "page": image["pageURL"], "original": image["originalURL"],
    }
    for name, value in members.items():
        if value is not None:
            yield f"  {name} {' / '.join(value.splitlines())}"
    thumbnail = image["thumbnail"]
    if thumbnail:
        source = image["thumbnailURL"] or "made from the original"
        yield f"  thumbnail {source}, {thumbnail['width']} × {thumbnail['height']}"
    else:
        yield "  no thumbnail"
