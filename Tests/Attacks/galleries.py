"""Hostile galleries: their lines, pages and trees, and the answers that send them."""

import contextlib
import gzip
import hashlib
import json
import pathlib
import sqlite3

from Kills.pictures import picture

from .common import Run
from .sites import Request

LIBRARY = "11111111-2222-4333-8444-555555555555"
DATE = "2026-11-02T08:00:00Z"
CHANGES = "/api/v1/changes"
TREE = "/api/v1/tree/"
LARGEST = (1 << 63) - 1


def sha256(data: bytes | str) -> str:
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()


# Lines of changes


def feed(number: int = 1, seq: int = 1, **data) -> dict:
    own = {"url": f"https://own.example/{number}", "title": f"Feed {number}"}
    return {"seq": seq, "op": "put", "type": "feed", "id": number, "data": own | data}


def image(number: int, seq: int = 1, of: int = 1, **data) -> dict:
    own = {
        "feed": of,
        "position": number,
        "date": DATE,
        "firstSeen": DATE,
        "title": f"image {number}",
        "originalURL": f"http://192.0.2.1/{number}.png",
    }
    return {"seq": seq, "op": "put", "type": "image", "id": number, "data": own | data}


def pin(number: int, seq: int = 1) -> dict:
    return {"seq": seq, "op": "put", "type": "pin", "id": number, "data": {"pinned": DATE}}


def delete(kind: str, number: int, seq: int = 2) -> dict:
    return {"seq": seq, "op": "delete", "type": kind, "id": number}


def lines(values) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def page(changes, cursor: str, more: bool = False, library: str = LIBRARY) -> bytes:
    return lines([*changes, {"cursor": cursor, "more": more, "library": library}])


class Gallery:
    """A gallery with pages of changes, or with a tree. `answer` may replace what it sends: it gets the request, the
    path and the query, and returns whether it has answered."""

    def __init__(self, run: Run, *pages: list[dict], library: str = LIBRARY):
        self.pages, self.library, self.answer = list(pages), library, None
        # The documents of its tree by path, and pictures by hash.
        self.nodes: dict[str, bytes] = {}
        self.pictures: dict[str, bytes] = {}
        self._site = run.site(self._answer)

    @property
    def address(self) -> str:
        return self._site.address + CHANGES

    @property
    def base(self) -> str:
        return self._site.address + "/"

    @property
    def requests(self) -> list[str]:
        return [path for _, path in self._site.requests]

    def forget(self):
        self._site.requests.clear()

    def picture(self, name: str, padding: int = 0) -> dict:
        """Adds a picture; its description for a line."""
        data = picture(name, padding=padding)
        self.pictures[sha256(data)] = data
        return {"sha256": sha256(data), "type": "image/png", "bytes": len(data), "width": 40, "height": 40}

    def send(self, request: Request, body: bytes, kind: str = "application/x-ndjson"):
        request.send(gzip.compress(body, 6), kind=kind, Content_Encoding="gzip")

    def _answer(self, request: Request):
        path, _, query = request.path.partition("?")
        if self.answer and self.answer(request, path, query):
            return
        if path == CHANGES and self.nodes:
            return request.send("{}", 410)
        if path == CHANGES:
            return self._answer_changes(request, query)
        if path in self.nodes:
            return self.send(request, self.nodes[path])
        if data := self.pictures.get(path[3:]):
            return request.send(data, kind="image/png")
        request.send("{}", 404)

    def _answer_changes(self, request: Request, query: str):
        number = int(query.rpartition(".")[2]) if query.startswith("since=") else 0
        if number >= len(self.pages):
            return request.send(status=304)
        self.send(request, page(self.pages[number], f"1.{number + 1}", number + 1 < len(self.pages), self.library))

    # Trees

    def grow(self, feeds: list[dict], images: dict[int, list[dict]], pins=(), cursor: str = "9.9"):
        """Replaces the pages by a tree with the right hashes."""
        self.nodes = {}
        roots = [
            {"id": line["id"], "seq": line["seq"], "hash": self._add_feed(line, images.get(line["id"], []))}
            for line in feeds
        ]
        text = (
            f"library {self.library}\n"
            + "".join(f"feed {root['id']} {root['hash']}\n" for root in roots)
            + "".join(f"pin {number} 1\n" for number in sorted(pins))
        )
        pinned = [{"id": number, "seq": 1, "pinned": DATE} for number in sorted(pins)]
        self.add_root(
            {"hash": sha256(text), "library": self.library, "cursor": cursor, "feeds": roots, "pins": pinned}
        )

    def add_root(self, root: dict):
        self.nodes[TREE + "root"] = json.dumps(root).encode()

    def _add(self, text: str, node) -> str:
        digest = sha256(text)
        self.nodes[TREE + digest] = node if isinstance(node, bytes) else json.dumps(node | {"hash": digest}).encode()
        return digest

    def _add_feed(self, line: dict, images: list[dict]) -> str:
        rows = "".join(f"{image['id']} {image['seq']}\n" for image in images)
        months = []
        if images:
            leaf = {
                "first": images[0]["id"],
                "last": images[-1]["id"],
                "hash": self._add("images\n" + rows, lines(images)),
            }
            month = self._add(f"month {line['id']} 2026-11\n{rows}", {"month": "2026-11", "leaves": [leaf]})
            months = [{"month": "2026-11", "hash": month, "images": len(images)}]
        return self._add(
            f"feed {line['id']} {line['seq']}\n{rows}", {"id": line["id"], "feed": line, "months": months}
        )


# Libraries


def rows(library: pathlib.Path, sql: str) -> list:
    with contextlib.closing(sqlite3.connect(library / "gallery.sqlite", timeout=10)) as database:
        return database.execute(sql).fetchall()


def shown(library: pathlib.Path) -> int:
    """The number of images that are not hidden."""
    return rows(library, "SELECT count(*) FROM image WHERE is_hidden = 0")[0][0]


def check_sound(run: Run, library: pathlib.Path, **variables: str):
    run.gallery(library, "verify", "--restart", **variables)


def copied(run: Run, gallery: Gallery, name: str = "copy", *options: str):
    """Mirrors a gallery; returns the library."""
    library = run.folder / name
    run.gallery(library, "sync", gallery.address, *options)
    return library
