"""Exports and copies into folders that others have prepared, or change while they are written."""

import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import programs

from Kills.pictures import picture

from .common import Run, part
from .galleries import check_sound
from .processes import environment
from .sites import Request

TITLES = [
    "../../out",
    "..",
    ".",
    "CON",
    "con.png",
    "-rf",
    "~root",
    'a/b\\c:d*e?"<>|',
    "\u202egpj.exe",
    "x" * 5_000,
    "\U0001f468\u200d\U0001f469" * 200,
    "a\u0301" * 300,
    "Ä",
    "a\u0308",
    "A",
    "a",
    ".gallery-export",
    "{title}",
    "%s%n",
    "`id`$(id);id",
    "  lead",
    "trail. . ",
    ".hidden",
    "NUL",
    "LPT1.x",
    "ß",
    "SS",
    "ﬁ",
    "\ufeffbom",
    "ı",
    "İ",
]


def titles(request: Request):
    """A feed whose titles are no names of files."""
    if request.words[0] == "feed":
        items = [
            {"id": str(number), "title": title, "image": f"{request.site.address}/original/{number}.png"}
            for number, title in enumerate(TITLES)
        ]
        text = json.dumps({"version": "https://jsonfeed.org/version/1.1", "title": "../../evil/..", "items": items})
        return request.send(text, kind="application/json")
    request.send(picture(request.path), kind="image/png")


def tree(folder: pathlib.Path) -> dict[str, str]:
    """The hashes of all files below a folder; a link counts as its target's name."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            found[str(path.relative_to(folder))] = f"-> {os.readlink(path)}"
        elif path.is_file():
            found[str(path.relative_to(folder))] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def prepared(run: Run, count: int = 20) -> pathlib.Path:
    return run.library(run.site().address + f"/feed/a/{count}", originals=True)


def outside(run: Run) -> pathlib.Path:
    """A folder of somebody else, to which links lead."""
    folder = run.folder / "outside"
    folder.mkdir()
    (folder / "mine.txt").write_text("mine")
    return folder


@part(long=True)
def hostile_titles(run: Run):
    """Titles become names that every file system takes, below the folder, and no two names differ by case alone."""
    library = run.library(run.site(titles).address + "/feed", originals=True)
    for number, template in enumerate(
        [None, "{title}.{ext}", "{feed}/{title}", "{title}/{title}.{ext}", "{title}\x1b{id}"]
    ):
        target = run.folder / f"out{number}"
        run.gallery(library, "export", str(target), *(["--template", template] if template else []))
        names = [name for name in tree(target) if ".gallery-export" not in name]
        run.check(len(names) > 20, f"{template}: {len(names)} files")
        run.equal(len({name.casefold() for name in names}), len(names), f"{template}: names")
        odd = [
            name
            for name in names
            if any(ord(letter) < 32 or letter in '\u202e\\:*?"<>|' for letter in name)
            or any(len(part.encode()) > 255 or part in (".", "..") for part in name.split("/"))
        ]
        run.equal(odd, [], f"{template}: odd names")
    for template in (
        "../{id}",
        "/a/{id}",
        "{id}/../x",
        ".gallery-export/{id}",
        ".GALLERY-EXPORT/{id}",
        "CON/{id}",
        "~/{id}",
        "",
        "a//b",
        "{id}" + "y" * 300,
    ):
        run.gallery(library, "export", str(run.folder / "refused"), "--template", template, status=64)
    run.check(not (run.folder / "refused").exists(), "a refused template made a folder")


@part(long=True)
def prepared_folders(run: Run):
    """An export follows no link below its folder, waits for no FIFO, and changes no file of somebody else."""
    library, other = prepared(run, 10), outside(run)
    before = tree(other)
    target = run.folder / "files"
    (target / "f").mkdir(parents=True)
    for number in range(1, 4):
        (target / "f" / f"{number}.png").symlink_to(other / "mine.txt")
    (target / "f" / "4.png").symlink_to("/nonexistent/x")
    os.mkfifo(target / "f" / "5.png")
    (target / "f" / "6.png").mkdir()
    run.gallery(library, "export", str(target), "--template", "f/{id}.{ext}", status=None, seconds=20)
    for name in (".gallery-export", "f"):
        target = run.folder / f"linked{name}"
        target.mkdir()
        (target / name).symlink_to(other)
        run.gallery(library, "export", str(target), "--template", "f/{id}.{ext}", status=None, seconds=20)
    for name in ("t", "o", "api", "images", ".gallery-export"):
        target = run.folder / f"site-{name}"
        target.mkdir()
        (target / name).symlink_to(other)
        run.gallery(library, "export", "--static", str(target), status=1, seconds=20)
    run.equal(tree(other), before, "files of another user")
    for name in (
        "/",
        str(library),
        str(library / "originals"),
        str(run.folder),
        str(library / ".." / "library" / "x"),
    ):
        for options in ([], ["--static"]):
            run.gallery(library, "export", *options, name, status=1, seconds=20)
    check_sound(run, library)


@part(long=True)
def read_only_folders(run: Run):
    """A folder that cannot be written, or is no folder, gives a message that names it."""
    library = prepared(run, 3)
    plain = run.folder / "plain"
    plain.write_text("mine")
    for target in ("/proc/x", "/dev/null", str(plain), str(plain / "x"), ""):
        for options in ([], ["--static"]):
            command = run.gallery(library, "export", *options, target, status=1, seconds=20)
            run.check("Fatal" not in command.output, f"{target}: {command.output}")
    run.equal(plain.read_text(), "mine", "a file in the place of a folder")


@part
def moves(run: Run):
    """A copy of a library never goes into itself, and two copies to one place do not mix."""
    library = prepared(run, run.number(20, 200))
    link = run.folder / "link"
    link.symlink_to(library)
    for target in (library, link, link / "sub", library / "sub", library / "originals" / "x", run.folder):
        run.gallery(library, "move", "--to", str(target), status=64)
    check_sound(run, library)
    originals = {name: digest for name, digest in tree(library).items() if name.startswith("originals/")}
    run.check(len(originals) >= 20 and not (library / "sub").exists(), "the library has changed")
    # Another disk, so that originals are copied and not linked.
    shared = pathlib.Path(tempfile.mkdtemp(dir="/dev/shm"))
    run.everything.callback(shutil.rmtree, shared, ignore_errors=True)
    for number in range(run.number(2, 20)):
        target = shared / f"copy{number}"
        copies = [
            subprocess.Popen(
                [programs.path("gallery"), "move", "--to", str(target)],
                env=environment(library),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            for _ in range(2)
        ]
        statuses = [copy.wait(60) for copy in copies]
        run.check(all(status in (0, 1) for status in statuses), f"two copies at once: {statuses}")
        run.gallery(library, "move", "--to", str(target))
        found = {name: digest for name, digest in tree(target).items() if name.startswith("originals/")}
        run.equal(found, originals, "originals of two copies at once")
        check_sound(run, target)
