"""Exported sites and copies that were changed on their server, in between, or in a backup."""

import gzip
import json
import pathlib
import shutil

from .common import Run, part
from .galleries import TREE, check_sound, shown
from .sites import Request


def exported(run: Run, count: int = 30) -> tuple[pathlib.Path, pathlib.Path]:
    """A library with originals, and its static site."""
    library = run.library(run.site().address + f"/feed/a/{count}", name="source", originals=True)
    site = run.folder / "site"
    run.gallery(library, "export", "--static", str(site))
    return library, site


def file_of(folder: pathlib.Path, path: str) -> pathlib.Path:
    """The file that a web server sends for a path."""
    file = folder / path.partition("?")[0].lstrip("/")
    return file / "index.html" if file.is_dir() else file


def static(run: Run, folder: pathlib.Path, change) -> str:
    """The address of a web server with the files of a folder. `change` gets the path and the content, and returns another
    content, None for 404, or a pair of a content and fields."""

    def answer(request: Request):
        path = request.path.partition("?")[0]
        file = file_of(folder, path)
        if not file.is_file():
            return request.send("no", 404)
        found = change(path, file.read_bytes())
        if found is None:
            return request.send("no", 404)
        body, fields = found if isinstance(found, tuple) else (found, {})
        request.send(body, kind="text/html" if file.suffix == ".html" else "application/json", **fields)

    return run.site(answer).address + "/"


def same(path: str, data: bytes) -> bytes:
    return data


@part(long=True, seconds=150)
def changed_sites(run: Run):
    """A site whose root, nodes, signatures or pictures were changed changes nothing in its mirrors."""
    source, site = exported(run)
    state = {"change": same}
    address = static(run, site, lambda path, data: state["change"](path, data))
    run.check((site / (TREE.lstrip("/") + "root")).exists(), "the site has no root")
    copy = run.folder / "copy"
    run.gallery(copy, "sync", address, "--originals")
    run.equal(shown(copy), 30, "images of the copy")
    before = run.gallery(copy, "list", "--json").out
    nodes = sorted(str(path.relative_to(site)) for path in (site / TREE.strip("/")).iterdir())

    def root(edit):
        def change(path: str, data: bytes):
            return edit(data) if path == TREE + "root" else data

        return change

    def edited(data: bytes, **members) -> bytes:
        return json.dumps(json.loads(data) | members).encode()

    def swapped(path: str, data: bytes) -> bytes:
        # Each node is another one of the same site, with its right signature.
        name = path.lstrip("/")
        return (site / nodes[(nodes.index(name) + 1) % len(nodes)]).read_bytes() if name in nodes else data

    changes = {
        "another cursor": root(lambda data: edited(data, cursor="1.x.9.0.0.9")),
        "no feeds": root(lambda data: edited(data, feeds=[])),
        "another library": root(lambda data: edited(data, library="99999999-2222-4333-8444-555555555555")),
        "no signature": root(lambda data: edited(data, signature=None)),
        "another order of its members": root(lambda data: json.dumps(dict(reversed(json.loads(data).items()))).encode()),
        "white space": root(lambda data: b" " + data + b"\n\n"),
        "a root within a root": root(lambda data: b'{"root":' + data + b"}"),
        "two roots": root(lambda data: data + b"\n" + data),
        "a member twice": root(lambda data: data.rstrip().removesuffix(b"}") + b',"feeds":[],"hash":"00"}'),
        "nodes of each other": swapped,
        "no nodes": lambda path, data: data if path == TREE + "root" or not path.startswith(TREE) else None,
        "cut nodes": lambda path, data: data[: len(data) // 2] if path.startswith(TREE) and "root" not in path else data,
        "packed nodes": lambda path, data: (gzip.compress(data), {"Content_Encoding": "gzip"}),
        "pictures of each other": lambda path, data: b"\x89PNG\r\n\x1a\n" + data[::-1] if "/o/" in path else data,
        "validators that lie": lambda path, data: (data, {"ETag": '"always"', "Last_Modified": "Thu, 01 Jan 2099 00:00:00 GMT"}),
    }
    for name, change in changes.items():
        state["change"] = change
        command = run.gallery(copy, "sync", "--force", status=None, seconds=60)
        run.among(command.status, {0, 1, 2}, f"{name}: {command.output[-200:]}")
        run.check(run.gallery(copy, "list", "--json").out == before, f"{name}: the images have changed")
        fresh = run.folder / ("new " + name)
        run.gallery(fresh, "sync", address, "--originals", status=None, seconds=60)
        if (fresh / "gallery.sqlite").exists():
            check_sound(run, fresh)
    state["change"] = same
    run.gallery(copy, "sync", address, "--force")
    check_sound(run, copy)


@part(long=True, seconds=120)
def repeated_sites(run: Run):
    """An old state of a site, sent again, takes no more from a mirror than a gallery itself may."""
    source, site = exported(run)
    old = run.folder / "old"
    shutil.copytree(site, old)
    for number in range(2, 7):
        run.gallery(source, "sync", run.site().address + f"/feed/b{number}/5", "--originals")
    run.gallery(source, "export", "--static", str(site))
    state = {"folder": site}

    def answer(request: Request):
        file = file_of(state["folder"], request.path)
        kind = "text/html" if file.suffix == ".html" else "application/json"
        request.send(file.read_bytes() if file.is_file() else "no", 200 if file.is_file() else 404, kind=kind)

    address = run.site(answer).address + "/"
    copy = run.folder / "copy"
    run.gallery(copy, "sync", address)
    run.equal(shown(copy), 55, "images of the copy")
    state["folder"] = old
    for options in ([], ["--force"], [address, "--take-over", address]):
        run.gallery(copy, "sync", *options, status=None)
        run.equal(shown(copy), 55, f"images after an old site {options}")
    state["folder"] = site
    run.gallery(copy, "sync", "--force")
    run.equal(shown(copy), 55, "images at the end")
    check_sound(run, copy)


@part(long=True, seconds=120)
def site_tells_nothing(run: Run):
    """A site has no secret of an address, no path of this machine, and no removed feed, after each new export."""
    site = run.site().address
    secret = "S3CR3TW0RD"
    library = run.library(f"{site.replace('http://', f'http://u:{secret}@')}/feed/open/3?key={secret}", f"{site}/feed/gone/3",
                          originals=True)
    pictures = run.folder / "private folder"
    pictures.mkdir()
    (pictures / "p.png").write_bytes(next((library / "originals").glob("*/*")).read_bytes())
    run.gallery(library, "sync", str(pictures))
    target = run.folder / "site"
    run.gallery(library, "export", "--static", str(target))
    run.gallery(library, "remove", f"{site}/feed/gone/3")
    run.gallery(library, "export", "--static", str(target))
    for path in sorted(target.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
            found = [text for text in (secret, str(pictures), str(run.folder), "gone picture") if text.encode() in data]
            run.equal(found, [], f"{path.relative_to(target)}")


@part(long=True, seconds=120)
def restored_mirrors(run: Run):
    """A mirror that is backed up and restored keeps its key, its part and its guard against losses, and tells no token."""
    server = run.serve(run.library(run.site().address + "/feed/a/30", name="source"))
    between = {"server": server, "token": server.token("whole")}

    def hand_on(request: Request):
        answer = between["server"].ask(request.path, token=between["token"])
        request.send(answer.body, answer.status, kind=answer.fields.get("content-type", ""))

    address = run.site(hand_on).address
    secret = "S3CR3TW0RD"
    copy, backup, restored = (run.folder / name for name in ("copy", "backup", "restored"))
    run.gallery(copy, "sync", address.replace("http://", f"http://any:{secret}@") + "/")
    run.gallery(copy, "backup", str(backup))
    run.gallery(restored, "restore", str(backup), "--without-settings")
    for library in (backup, restored):
        for words in (["feeds"], ["feeds", "--json"], ["status"], ["show", "1", "--info", "--json"]):
            run.check(secret not in run.gallery(library, *words, status=None).output, f"{words} prints a token")
    # The backup is no library that syncs.
    run.among(run.gallery(backup, "sync", status=None).status, {1, 64}, "a sync of the backup")
    other = run.serve(run.library(run.site().address + "/feed/z/3", name="other"))
    limited, whole = server.token("limited", "--search", "nothing"), between["token"]
    for name, token, sender in (("a limited token", limited, server), ("another gallery", other.admin, other)):
        between.update(token=token, server=sender)
        command = run.gallery(restored, "sync", "--force", status=None)
        run.check(command.status != 0, f"{name}: accepted")
        run.equal(shown(restored), 30, f"images after {name}")
    between.update(token=whole, server=server)
    run.gallery(restored, "sync", "--force")
    run.equal(shown(restored), 30, "images at the end")
    check_sound(run, restored)
