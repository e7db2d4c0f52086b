"""Cuts the power while gallery works, many times, without a power switch.

The driver runs each phase (phases.py) once, and records its file operations (record.c). From the recording,
it builds states that a power cut may leave (recording.py): at a random moment, and right after the end of
the command. In each state, all, none or parts of the unsynced data are on the disk.

From each state, the program must recover a sound library. `verify` must find nothing, every id must keep its
meaning, and every picture must be the one from before or after the command. After the end of the command,
everything that it reported as stored must be present. `clean` must then lose nothing. The repeated command
must have the same result as an undisturbed one.

A newer picture that is kept beside a stored one must be whole or absent, and the stored one stays. `take-newer`
must accept it in each state.
"""
import argparse
import contextlib
import hashlib
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import tempfile
import threading

import programs
from Disks.site import Server
from Kills.packs import thumbnail_bytes

from .phases import DELETED, FEEDS, FIRST_SIGN, PHASES, Phase, Site
from .recording import ENDS, Recording

SHORT, LONG = 60, 1_000

# The images that have a newer picture beside their stored one, with its kind (0 for a thumbnail, 1 for an original),
# and the hash of its bytes.
Newer = dict[tuple[int, int], str]

# By image id: the address of the original, the hash of the thumbnail, the hash of the original, the image's title,
# and the feed's title.
Facts = dict[int, tuple[str, str | None, str | None, str | None, str | None]]


class Library:
    """The library in a folder, and the program that works on it."""

    def __init__(self, program: str, folder: pathlib.Path, address: str):
        self._program, self._address = program, address
        self.folder = folder / "home" / "library"
        # The folder of exports.
        self.target = folder / "home" / "out"

    def run(self, *arguments: str, **variables: str) -> tuple[int, str]:
        words = [self._address + FEEDS[word] if word in FEEDS else str(self.target) if word == "OUT" else word
                 for word in arguments]
        result = subprocess.run(
            [self._program, *words, "--cache", str(self.folder)], capture_output=True, text=True,
            stdin=subprocess.DEVNULL, env={**os.environ, **variables}, timeout=120,
        )
        return result.returncode, result.stdout + result.stderr

    def expect(self, statuses: tuple[int, ...], *arguments: str, **variables: str) -> str:
        status, output = self.run(*arguments, **variables)
        assert status in statuses, f"{' '.join(arguments)}: status {status}: {output.strip()}"
        return output

    def exported(self) -> dict[str, str]:
        """The hashes of the exported files by their paths."""
        return {
            str(path.relative_to(self.target)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in self.target.rglob("*") if path.is_file() and ".gallery-export" not in path.parts
        }

    @contextlib.contextmanager
    def _database(self):
        """A copy of the database, because opening it could checkpoint its log; None if it has no tables."""
        file = self.folder / "gallery.sqlite"
        # If the database was just being created, only its length may have reached the disk.
        if not file.exists() or not any(file.read_bytes()):
            yield None
            return
        with tempfile.TemporaryDirectory() as copy:
            for name in ("gallery.sqlite", "gallery.sqlite-wal"):
                if (self.folder / name).exists():
                    shutil.copy(self.folder / name, copy)
            with contextlib.closing(sqlite3.connect(f"{copy}/gallery.sqlite")) as database:
                is_empty = not database.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
                yield None if is_empty else database

    def facts(self, of_removed: bool = False) -> Facts:
        """The stored images of the followed feeds, or of the removed ones."""
        with self._database() as database:
            if database is None:
                return {}
            rows = database.execute("""
                SELECT image.id, image.original_address, sha256, image.title,
                  coalesce(given_title, feed.title), pack_id, offset, thumbnail.bytes
                FROM image JOIN feed ON feed.id = feed_id
                LEFT JOIN thumbnail ON thumbnail.image_id = image.id
                LEFT JOIN image_original ON image_original.image_id = image.id
                LEFT JOIN original ON original.id = original_id
                WHERE is_removed = ?
            """, (of_removed,)).fetchall()
        return {
            number: (address.removeprefix(self._address), self._thumbnail(place), sha, *titles)
            for number, address, sha, *titles, place in (
                (*row[:5], row[5:]) for row in rows
            )
        }

    def newer(self) -> Newer:
        """The newer pictures, each of which must have the bytes that its row describes."""
        with self._database() as database:
            rows = database.execute("""
                SELECT image_id, kind, sha256, picture FROM successor WHERE kind < 3
            """).fetchall() if database else []
        newer = {}
        for number, kind, sha, picture in rows:
            files = list((self.folder / "originals" / sha[:2]).glob(f"{sha}.*"))
            content = picture or (files[0].read_bytes() if files else b"")
            newer[number, kind] = hashlib.sha256(content).hexdigest()
            assert newer[number, kind] == sha, f"the newer picture of image {number} is not whole"
        return newer

    def _thumbnail(self, place: list) -> str | None:
        if place[0] is None:
            return None
        try:
            return hashlib.sha256(thumbnail_bytes(self.folder, *place)).hexdigest()
        except OSError:
            return "no pack"


class Trial:
    """A recorded phase and its states."""

    def __init__(self, phase: Phase, program: str, recorder: pathlib.Path, address: str, folder: pathlib.Path):
        self._phase, self._program, self._address, self._folder = phase, program, address, folder
        Site.version = 1
        place = folder / "recorded"
        (place / "home").mkdir(parents=True)
        library = self._library(place)
        self._prepare(library)
        if phase.harm:
            phase.harm(library.folder)
        self._settle(library.folder)
        Site.version = phase.version
        self.before = library.facts()
        self._removed = library.facts(of_removed=True)
        self.recording = Recording(place)
        log = folder / "log"
        # Blanks separate the names in LD_PRELOAD, but not the folders in LD_LIBRARY_PATH (ld.so(8)).
        library.expect(phase.statuses, *phase.command, LD_PRELOAD=recorder.name, LD_LIBRARY_PATH=str(recorder.parent),
                       POWERCUTS_ROOT=str(place), POWERCUTS_LOG=str(log))
        self.recording.read(log)
        self.after, self.newer = library.facts(), library.newer()
        self.exported = library.exported()
        if phase.has_originals:
            assert all(original for _, _, original, *_ in self.after.values()), self.after
        missing = set(phase.newer) - self.newer.keys()
        assert not missing, f"no newer pictures: {missing}"

    def _prepare(self, library: Library):
        for command in self._phase.before:
            match command:
                case ("news",): Site.version = 2
                case ("breaks",): Site.breaks = True
                case ("deletes",): Site.version = DELETED
                case ("deceives",): Site.version = FIRST_SIGN
                case _: library.expect((4,) if Site.breaks else (0,), *command)
        assert not Site.breaks or any((library.folder / "partial").iterdir()), "nothing is partial"
        Site.breaks = False

    @staticmethod
    def _settle(folder: pathlib.Path):
        """Moves the log into the database, so that the states contain only the log of the command."""
        if (folder / "gallery.sqlite").exists():
            with contextlib.closing(sqlite3.connect(folder / "gallery.sqlite")) as database:
                database.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _library(self, place: pathlib.Path) -> Library:
        return Library(self._program, place, self._address)

    def cut(self, number: int, chance: random.Random) -> str:
        """Makes one state and checks it; returns its description."""
        count = len(self.recording.calls)
        # The first three are right after the end of the command, when all that it reported must be true.
        has_ended = number < 3 or chance.random() < 0.3
        end = count if has_ended else chance.randrange(count)
        ends = ("none", "all", "torn")[number] if number < 3 else chance.choice((None, None, *ENDS))
        state = self._folder / f"state{number}"
        self.recording.lay_out(end, ends, chance, state)
        name = f"after {end} of {count} calls, {ends or 'mixed'}"
        try:
            self._check(self._library(state), has_ended)
        except Exception as error:
            raise AssertionError(f"{name}: {error}") from error
        shutil.rmtree(state)
        return name

    def _check(self, library: Library, has_ended: bool):
        phase = self._phase
        is_sound = not phase.is_damaged or has_ended and "--repair" in phase.command
        library.expect((0,) if is_sound else (0, 2), "verify", "--restart")
        found = library.facts()
        self._compare(found, has_ended)
        newer = library.newer()
        self._check_newer(library, has_ended)
        if has_ended and phase.shown:
            output = library.expect((0,), "show", "--offline", *phase.shown)
            assert len(output.splitlines()) == len(phase.shown), output
        if is_sound and (has_ended or not phase.has_strays):
            library.expect((0,), "clean")
            assert library.facts() == found, "clean has lost something"
            assert library.newer() == newer, "clean has lost a newer picture"
            library.expect((0,), "verify", "--restart")
        if newer:
            twin = self._library(library.folder.parent.parent / "twin")
            shutil.copytree(library.folder, twin.folder)
            self._take(twin)
        self._repeat(library)
        self._check_export(library)
        self._check_newer(library, has_ended=True)
        self._take(library)

    def _check_newer(self, library: Library, has_ended: bool):
        """The newer pictures are those of the completed command, or some of them, and the stored ones are shown."""
        newer = library.newer()
        if self._phase.newer:
            others = newer.items() - self.newer.items()
            assert not others, f"other newer pictures: {others}"
            assert not has_ended or newer == self.newer, f"not all newer pictures: {newer}"
        facts = library.facts()
        for number, original in [(number, facts[number][2]) for number, kind in newer if kind == 1]:
            path = pathlib.Path(library.expect((0,), "show", "--offline", str(number)).splitlines()[-1])
            assert hashlib.sha256(path.read_bytes()).hexdigest() == original, f"show {number}: {path}"

    @staticmethod
    def _take(library: Library):
        """Accepts all newer pictures."""
        newer = library.newer()
        numbers = {number for number, _ in newer}
        if not numbers:
            return
        library.expect((0,), "take-newer", *map(str, sorted(numbers)))
        facts = library.facts()
        for (number, kind), content in newer.items():
            assert facts[number][1 + kind] == content, f"image {number} has not got its newer picture"
        assert not library.newer(), "newer pictures are left"
        library.expect((0,), "verify", "--restart")

    def _check_export(self, library: Library):
        """The repeated export must be whole. Beside named files, others that are not whole may be left."""
        found = library.exported()
        if "--static" in self._phase.command:
            assert found == self.exported, f"another site: {difference(found, self.exported)}"
        lost = set(self.exported.values()) - set(found.values())
        assert not lost, f"{len(lost)} exported files are lost"

    def _compare(self, found: Facts, has_ended: bool):
        if has_ended:
            assert found == self.after, f"not all is there: {difference(found, self.after)}"
        for number, before in self.before.items():
            after = self.after.get(number)
            if after is None:
                continue
            assert number in found, f"image {number} is lost"
            for part, one, other in zip(found[number], before, after):
                assert part in (one, other), f"image {number}: {part} is neither {one} nor {other}"
        for number in found.keys() - self.before.keys():
            known = [facts[number][0] for facts in (self._removed, self.after) if number in facts]
            assert found[number][0] in known, f"image {number} is {found[number][0]}, not {known}"

    def _repeat(self, library: Library):
        """Repeats the command, which must have the same result. `remove` and `take-newer` may fail if they are done."""
        statuses = (0, 2, 3) if self._phase.command[0] in ("remove", "take-newer") else (0, 2)
        library.expect(statuses, *self._phase.command)
        found, expected = set(library.facts().values()), set(self.after.values())
        assert found == expected, f"done again, it is another library: {list(found ^ expected)[:3]}"
        if self._phase.command != ("verify",):
            library.expect((0,), "verify", "--restart")


def difference(found: dict, expected: dict) -> str:
    numbers = [n for n in found.keys() | expected.keys() if found.get(n) != expected.get(n)]
    return ", ".join(f"{n}: {found.get(n)} instead of {expected.get(n)}" for n in sorted(numbers)[:3])


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="Scripts/powercuts", description=__doc__.splitlines()[0])
    parser.add_argument("--long", action="store_true", help=f"{LONG:,} states instead of {SHORT}")
    parser.add_argument("--states", type=int, metavar="N", help="so many states")
    parser.add_argument("--seed", type=int, help="repeats the choices of an earlier run")
    parser.add_argument("--phase", metavar="NAME", help="only phases whose names contain this")
    parser.add_argument("--keep", action="store_true", help="keep the folder of a failed state")
    return parser.parse_args()


def run(chosen: argparse.Namespace, folder: pathlib.Path, seed: int) -> int:
    phases = [phase for phase in PHASES if not chosen.phase or chosen.phase in phase.name]
    assert phases, "there is no such phase"
    states = chosen.states or (LONG if chosen.long else SHORT)
    program = programs.path("gallery")
    recorder = folder / "record.so"
    source = pathlib.Path(__file__).parent / "record.c"
    subprocess.run([shutil.which("cc") or "clang", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", recorder,
                    str(source), "-ldl"], check=True)
    server = Server(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    failures = 0
    for index, phase in enumerate(phases):
        share = states // len(phases) + (index < states % len(phases))
        place = folder / phase.name.replace(" ", "-")
        trial = Trial(phase, program, recorder, address, place)
        failed = 0
        for number in range(share):
            chance = random.Random(f"{seed}, {phase.name}, {number}")
            try:
                trial.cut(number, chance)
            except AssertionError as error:
                failed += 1
                print(f"{phase.name}, state {number}: FAILED: {error}", flush=True)
        failures += failed
        calls = len(trial.recording.calls)
        print(f"{phase.name}: {share} states of {calls} calls, {failed} failed", flush=True)
    server.shutdown()
    return failures


def main() -> int:
    chosen = options()
    seed = random.randrange(1_000_000) if chosen.seed is None else chosen.seed
    folder = pathlib.Path(tempfile.mkdtemp(prefix="gallery-powercuts-"))
    failures = -1
    try:
        failures = run(chosen, folder, seed)
    finally:
        if failures and chosen.keep:
            print(f"kept: {folder}")
        else:
            shutil.rmtree(folder)
    print(f"seed {seed}: {failures} failures")
    return 1 if failures else 0
