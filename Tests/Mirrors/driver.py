"""Disturbs mirrors of a gallery at many moments of all that they do, and looks at what that leaves.

A gallery with hundreds of images and a sealed pack of thumbnails is mirrored: for the first time, by its changes, by its
tree, and after it was restored from a backup. The mirror or the server is killed (SIGKILL), their connections are cut, or
the mirror's disk is full, at a moment that is told by the bytes that have passed or by the time; a few times in a row.
With --postgres both libraries are in PostgreSQL, or one of them: instead of a full disk, the server ends the sessions of
a mirror there.

After each time the mirror must be sound. Then it is completed, and must be the same as one that nobody disturbed: by
identity, order, bytes and tombstones.
"""
import argparse
import contextlib
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

import programs

from .gallery import DatabaseLibrary, Library, Proxy, end, wait
from .origin import Make, Origin
from databases import Databases

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
MOST_PER_LIFE = 3
DISTURBANCES = ["mirror", "server", "connections"]


class Phase:
    """The state with which a mirror begins, and the gallery that it mirrors."""

    def __init__(self, name: str, origin: Library, before: Library | None, change: str | None = None):
        self.name, self.origin, self.before, self.change = name, origin, before, change
        self.expected: dict = {}
        self.bytes, self.seconds = 0, 0.0


class Driver:
    """Runs lives of mirrors until enough of them have been disturbed."""

    def __init__(self, folder: pathlib.Path, make_origin: Make, make: Make, kinds: list[str], seed: int):
        self._folder, self._make, self._kinds, self._seed = folder, make, kinds, seed
        self._proxy = Proxy()
        self._libraries: dict[str, Library] = {}
        self._options: list[str] = []
        self.counts: dict[str, int] = {}
        self.done = 0
        gallery = Origin(folder, make_origin)
        origin = gallery.library
        copy = self._mirror_of(origin, "copy")
        gallery.change()
        newer = self._mirror_of(origin, "newer", copy)
        forget = "UPDATE mirror SET cursor = '1.00.1.0.0.7'"
        self.phases = [
            Phase("first mirror", origin, None), Phase("changes", origin, copy),
            Phase("tree", origin, copy, forget), Phase("restored", gallery.restored(), newer),
        ]
        self._origin: Library | None = None

    # The gallery

    def _serve(self, origin: Library):
        self._origin = origin
        self._proxy.target, self._token = origin.serve()

    def _restart(self):
        self._origin.kill_server()
        self._serve(self._origin)

    @property
    def _address(self) -> str:
        return f"http://any:{self._token}@127.0.0.1:{self._proxy.port}/"

    def _mirror_of(self, origin: Library, name: str, before: Library | None = None) -> Library:
        library = self._library(name, before)
        self._serve(origin)
        self._complete(library)
        origin.kill_server()
        return library

    def _library(self, name: str, before: Library | None) -> Library:
        if name in self._libraries:
            self._libraries[name].delete()
        folder = self._folder / name
        self._libraries[name] = before.copy(folder) if before else self._make(folder)
        return self._libraries[name]

    def _complete(self, library: Library):
        library.run("sync", *self._options, self._address)

    # Lives

    def run(self, number: int):
        for phase in self.phases:
            # The backup lacks more than a tenth of the mirrored images.
            self._options = ["--accept-removals"] if phase.name == "restored" else []
            self._serve(phase.origin)
            self._look_at_undisturbed(phase)
            share = number // len(self.phases) + (number % len(self.phases) > self.phases.index(phase))
            self._disturb(phase, share)
            self._origin.kill_server()

    def _begin(self, phase: Phase, name: str) -> Library:
        library = self._library(name, phase.before)
        if phase.change:
            library.change(phase.change)
        return library

    def _look_at_undisturbed(self, phase: Phase):
        library = self._begin(phase, "undisturbed")
        sent, start = self._proxy.sent, time.monotonic()
        self._complete(library)
        phase.bytes, phase.seconds = self._proxy.sent - sent, time.monotonic() - start
        library.check()
        phase.expected = library.state()
        self._compare_with_origin(phase)
        print(f"{phase.name}: {phase.bytes:,} bytes in {phase.seconds:.2f} s", flush=True)

    def _compare_with_origin(self, phase: Phase):
        """Compares the mirror with its gallery, except for ids and change numbers."""
        origin = phase.origin.state()
        def images(state: dict) -> list:
            return sorted(tuple(map(plain, row[1:13])) for row in state["images"] if not row[11])
        if images(origin) != images(phase.expected):
            one, other = images(origin), images(phase.expected)
            differing = [row for row in one + other if (row in one) != (row in other)]
            raise AssertionError(f"{phase.name}: {len(differing)} images differ: {differing[:4]}")
        def pins(state: dict) -> int:
            shown = {row[0] for row in state["images"] if not row[11]}
            return sum(image in shown for image, _ in state["pins"])
        if pins(origin) != pins(phase.expected):
            raise AssertionError(f"{phase.name}: the pins differ")

    def _disturb(self, phase: Phase, number: int):
        done = life = 0
        while done < number:
            life += 1
            chance = random.Random(f"{self._seed} {phase.name} {life}")
            library = self._begin(phase, "disturbed")
            log = []
            try:
                for _ in range(min(chance.randint(1, MOST_PER_LIFE), number - done)):
                    log.append(self._disturb_once(phase, library, chance))
                    done += 1
                    library.check()
                self._complete(library)
                library.check()
                self._compare(phase, library)
            except AssertionError as error:
                raise AssertionError(f"seed {self._seed}, {phase.name}, life {life}, {log}: {error}") from error
        self.done += done

    def _compare(self, phase: Phase, library: Library):
        found = library.state()
        for name, rows in phase.expected.items():
            # Thumbnails may arrive in another order, but each must belong to the same image.
            if found[name] != rows:
                differing = [row for row in found[name] + rows if (row in found[name]) != (row in rows)]
                raise AssertionError(f"{len(differing)} {name} differ: {differing[:4]}")

    def _disturb_once(self, phase: Phase, library: Library, chance: random.Random) -> str:
        kind = chance.choice(self._kinds)
        part = chance.random()
        # Half of the moments depend on the bytes that have passed, and half on the clock.
        by_bytes = kind == "connections" or chance.random() < 0.5
        if kind == "disk":
            self._fill_disk(library, chance)
        else:
            self._run_until(phase, library, kind, part, by_bytes)
        self.counts[kind] = self.counts.get(kind, 0) + 1
        return f"{kind} at {part:.3f} of the {'bytes' if by_bytes else 'time'}"

    def _run_until(self, phase: Phase, library: Library, kind: str, part: float, by_bytes: bool):
        sent, start = self._proxy.sent, time.monotonic()
        if kind == "connections":
            self._proxy.cut_after = sent + int(phase.bytes * part)
        process = library.start("sync", *self._options, self._address)
        def has_come() -> bool:
            if process.poll() is not None:
                return True
            if by_bytes:
                return self._proxy.sent - sent >= phase.bytes * part
            return time.monotonic() - start >= phase.seconds * part
        wait(has_come)
        if kind == "mirror":
            end(process)
        elif kind == "server":
            self._origin.kill_server()
            process.communicate(timeout=120)
            self._serve(self._origin)
        else:
            if kind == "sessions":
                library.end_sessions()
            process.communicate(timeout=120)
        self._proxy.cut_after = None

    def _fill_disk(self, library: Library, chance: random.Random):
        """Runs the mirror on a separate disk, which may be too small."""
        needed = sum(path.stat().st_size for path in library.folder.rglob("*") if path.is_file())
        size = needed + chance.randint(1 << 20, 160 << 20)
        disk = self._folder / "disk"
        disk.mkdir(exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(disk)], check=True)
        try:
            small = disk / "library"
            small = library.copy(small) if library.folder.exists() else self._make(small)
            process = small.start("sync", *self._options, self._address)
            process.communicate(timeout=120)
            shutil.rmtree(library.folder, ignore_errors=True)
            if small.folder.exists():
                shutil.copytree(small.folder, library.folder)
        finally:
            subprocess.run(["umount", "-l", str(disk)], check=True)


def plain(value):
    """A value of a column, the same for both kinds of stores; a mirror has addresses of its gallery in place of files."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, str) and re.search(r"^file:|^https?://[^/]+/(feeds/\d+\.json\?library=.*|t/[0-9a-f]{64})$", value):
        return "file"
    return value.removeprefix("\\x") if isinstance(value, str) else value


def can_mount() -> bool:
    """Whether the script can mount a disk: it is root, in a mount namespace."""
    return os.geteuid() == 0 and os.environ.get("GALLERY_MIRRORS_INSIDE") == "1"


@contextlib.contextmanager
def stores(folder: pathlib.Path) -> Iterator[Make]:
    """Runs PostgreSQL, and yields a function that makes libraries."""
    subprocess.run([CHECKOUT / "Scripts/setup", "libpq5", "postgresql", "util-linux"], check=True, stdout=sys.stderr)
    databases = Databases(folder)
    try:
        yield lambda _: DatabaseLibrary(databases.make())
    finally:
        databases.server.stop(signal.SIGQUIT)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moments", type=int, default=12, help="how often a mirror is disturbed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--postgres", nargs="?", choices=["both", "gallery", "mirrors"], const="both",
                        help="keep the gallery, its mirrors or both in PostgreSQL")
    options = parser.parse_args()
    programs.path("gallery")
    # Exit normally, so that servers are stopped, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if os.geteuid() == 0 and not can_mount() and shutil.which("unshare"):
        os.environ["GALLERY_MIRRORS_INSIDE"] = "1"
        os.execvp("unshare", ["unshare", "--mount", sys.executable, "-B",
                              str(CHECKOUT / "Scripts/mirrors"), *sys.argv[1:]])
    is_mirror_in_database = options.postgres in ("both", "mirrors")
    kinds = DISTURBANCES + (["sessions"] if is_mirror_in_database else ["disk"] * can_mount())
    if not can_mount() and not is_mirror_in_database:
        print("no disk of its own can be mounted here: full disks are left out")
    with tempfile.TemporaryDirectory(prefix="gallery-mirrors-") as name:
        folder = pathlib.Path(name)
        with stores(folder) if options.postgres else contextlib.nullcontext(Library) as make:
            make_origin = Library if options.postgres == "mirrors" else make
            make_mirror = make if is_mirror_in_database else Library
            driver = Driver(folder, make_origin, make_mirror, kinds, options.seed)
            with contextlib.suppress(KeyboardInterrupt):
                driver.run(options.moments)
    counts = ", ".join(f"{count} {kind}" for kind, count in sorted(driver.counts.items()))
    print(f"{driver.done} moments: {counts}; every mirror became equal")
    return 0
