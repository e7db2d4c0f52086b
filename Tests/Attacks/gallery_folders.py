"""Folders of pictures, and backups, that others have prepared or change."""

import json
import os
import pathlib
import shutil
import sqlite3

from Kills.pictures import picture

from .common import Run, part
from .galleries import check_sound
from .gallery_exports import outside, tree


def pictures(run: Run, name: str, count: int) -> pathlib.Path:
    """A folder of pictures."""
    folder = run.folder / name
    folder.mkdir()
    for number in range(count):
        (folder / f"{number}.png").write_bytes(picture(f"{name} {number}"))
    return folder


def private(run: Run) -> pathlib.Path:
    """A folder of somebody else with a picture, to which links lead."""
    folder = outside(run)
    (folder / "mine.png").write_bytes(picture("mine"))
    return folder


@part(long=True)
def odd_files(run: Run):
    """A sync of a folder follows no link, waits for no FIFO, reads no device, and prints no escape of a name."""
    folder, other = pictures(run, "pictures", 5), private(run)
    links = {"a.png": other / "mine.png", "b": other, "c.png": "/dev/zero", "d.png": "d.png", "e": folder}
    for name, target in links.items():
        (folder / name).symlink_to(target)
    os.mkfifo(folder / "f.png")
    for name in ("a\nb.png", "\x1b[31mc.png", "%2e%2e%2fd.png", "e?f#g.png"):
        (folder / name).write_bytes(picture(name))
    library = run.folder / "library"
    for _ in range(2):
        command = run.gallery(library, "sync", str(folder), seconds=20)
        run.check("\x1b" not in command.output, f"an escape: {command.output!r}")
    listed = run.gallery(library, "list", "--format", "{title}").out
    run.equal(len(listed.splitlines()), 9, "images")
    run.check("\x1b" not in listed and "mine" not in listed, f"titles: {listed!r}")
    check_sound(run, library)


@part(long=True)
def swapped_files(run: Run):
    """A file that another replaces by a link, or by another picture, is not sent."""
    folder, other = pictures(run, "pictures", 3), private(run)
    library = run.folder / "library"
    run.gallery(library, "sync", str(folder))
    server = run.serve(library)
    mine = (other / "mine.png").read_bytes()
    for image in json.loads(server.ask("/api/v1/images").body)["images"]:
        path = folder / f"{image['title']}.png"
        original = f"/images/{image['id']}/original"
        first = server.ask(original)
        run.equal(first.status, 303, "the address of an original")
        whole = server.ask(first.fields["location"])
        run.equal(whole.body, path.read_bytes(), "an original")
        path.unlink()
        path.symlink_to(other / "mine.png")
        for place in (original, first.fields["location"]):
            run.check(server.ask(place).body != mine, f"{place[:3]}: the file that a link leads to")
        path.unlink()
        path.write_bytes(mine)
        for place in (original, first.fields["location"]):
            run.check(server.ask(place).body != mine, f"{place[:3]}: another picture")


@part(long=True)
def take_overs(run: Run):
    """A folder that has few of the pictures, or a path without a folder, takes nothing over, and the former one stays."""
    folder, other = pictures(run, "pictures", 30), private(run)
    library = run.folder / "library"
    run.gallery(library, "sync", str(folder))
    before = run.gallery(library, "list", "--json").out
    empty, few = run.folder / "empty", run.folder / "few"
    empty.mkdir()
    few.mkdir()
    shutil.copy(folder / "1.png", few)
    (run.folder / "link").symlink_to(other)
    for place in (empty, few, run.folder / "link", other / "mine.txt", library, "/dev", "/proc/self", "/nonexistent"):
        command = run.gallery(library, "sync", str(place), "--take-over", f"{folder}/", status=None, seconds=30)
        run.check(command.status != 0, f"{place}: accepted")
    run.equal(run.gallery(library, "list", "--json").out, before, "images after refused take-overs")
    check_sound(run, library)


@part(long=True, seconds=120)
def hostile_backups(run: Run):
    """A restore from a changed backup ends, follows no link of it, and writes only in its folder."""
    library, other = run.library(run.site().address + "/feed/a/3", originals=True), private(run)
    backup = run.folder / "backup"
    run.gallery(library, "backup", str(backup))
    before = tree(other)

    def original(copy: pathlib.Path) -> pathlib.Path:
        return next(path for path in sorted((copy / "originals").rglob("*")) if path.is_file())

    def change(copy: pathlib.Path, sql: str):
        database = sqlite3.connect(copy / "gallery.sqlite")
        database.executescript(sql)
        database.close()

    def replace(path: pathlib.Path, target: str | pathlib.Path):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
        path.symlink_to(target)

    def pipe(path: pathlib.Path):
        path.unlink(missing_ok=True)
        os.mkfifo(path)

    for name, spoil in {
        "a linked original": lambda copy: replace(original(copy), other / "mine.txt"),
        "a linked device": lambda copy: replace(original(copy), "/dev/zero"),
        "a FIFO": lambda copy: pipe(original(copy)),
        "another picture": lambda copy: original(copy).write_bytes(picture("other")),
        "a linked key": lambda copy: replace(copy / "library.key", "/dev/zero"),
        "linked tokens": lambda copy: replace(copy / "tokens.json", "/dev/zero"),
        "tokens from a FIFO": lambda copy: pipe(copy / "tokens.json"),
        "linked thumbnails": lambda copy: replace(copy / "thumbnails", other),
        "a path in a row": lambda copy: change(copy, "UPDATE original SET format = '../../../outside/x'"),
        "a trigger": lambda copy: change(copy, "CREATE TRIGGER x AFTER INSERT ON image BEGIN DELETE FROM image; END"),
        "the largest id": lambda copy: change(copy, "UPDATE image SET id = 9223372036854775807 WHERE id = 1"),
    }.items():
        copy = run.folder / f"copy of {name}"
        shutil.copytree(backup, copy)
        spoil(copy)
        restored = run.folder / f"library of {name}"
        run.gallery(restored, "restore", str(copy), "--without-settings", status=None, seconds=30)
        texts = [path for path in restored.rglob("*") if path.is_file() and path.read_bytes() == b"mine"]
        run.equal(texts, [], f"{name}: files of another user")
        if name == "another picture":
            run.gallery(restored, "verify", status=2)
        if name == "a trigger":
            run.equal(len(run.gallery(restored, "list").out.splitlines()), 3, "images beside a trigger")
    run.equal(tree(other), before, "files of another user")


@part(long=True)
def prepared_copies(run: Run):
    """A first backup, restore or move writes through no link in the place of its folders."""
    library, other = run.library(run.site().address + "/feed/a/3", originals=True), private(run)
    backup = run.folder / "backup"
    run.gallery(library, "backup", str(backup))
    before = tree(other)
    for name in ("originals", "originals/ab", "thumbnails", "partial", "packs", "locks", "trash"):
        for command in ("backup", "restore", "move"):
            place = run.folder / f"{command} {name}".replace("/", " in ")
            (place / name).parent.mkdir(parents=True)
            (place / name).symlink_to(other)
            words = {"restore": ["restore", str(backup), "--without-settings"], "move": ["move", "--to", str(place)]}
            found = run.gallery(
                place if command == "restore" else library, *words.get(command, [command, str(place)]), status=1
            )
            run.check("is a link" in found.output, f"{command} {name}: {found.output[-200:]}")
    run.equal(tree(other), before, "files of another user")
    # The links of a library that exists are those of its owner.
    (backup / "originals").rename(run.folder / "kept")
    (backup / "originals").symlink_to(run.folder / "kept")
    run.gallery(library, "backup", str(backup))
    check_sound(run, library)
