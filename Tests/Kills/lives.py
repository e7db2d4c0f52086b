"""The lives of libraries. Each library is disturbed a few times, checked after each, and completed."""
import functools
import hashlib
import pathlib
import random
import time
from collections.abc import Callable

from .library import Contents, Library, StoredPicture, difference
from .moments import Moment, Watch
from .phases import EXPORTED, Command, Phase
from .runs import Disturbance, Result, Run
from .site import Site

# Makes a library in a folder, for the address of a site.
Make = Callable[[pathlib.Path, str], Library]
# Seconds that a decoder may outlive its program, because it must first notice the end of the program.
DECODER_PATIENCE = 10


class Bench:
    """One phase: the library with which it begins, and the expected library of an undisturbed run."""

    def __init__(self, phase: Phase, program: str, site: Site, folder: pathlib.Path, make: Make):
        self.phase, self.site = phase, site
        self._program = program
        self._folder = folder
        folder.mkdir()
        self._template = make(folder / "template", site.address)
        self._make_template()
        self._look_at_undisturbed()

    def _make_template(self):
        self.site.version = 1
        for command in self.phase.before:
            self.complete(command, self._template)
        self._before = self._template.contents() if self._template.exists else None
        self.phase.change(self._template)
        if self._before and not self.phase.begins_damaged:
            self._template.check_database()

    def _look_at_undisturbed(self):
        """Runs the phase once, to learn the expected library and the amount of work to disturb."""
        self.site.version = self.phase.version
        library = self.copy("undisturbed")
        watch = Watch(self.site, library)
        run = Run(self.command_line(self.phase.command, library))
        while not run.has_ended():
            watch.counts()
            time.sleep(0.0005)
        self.totals = watch.counts()
        self._check_status(run.finish(), self.phase.command)
        for command in self.phase.completion:
            self.complete(command, library)
        library.check_database()
        self.expected = library.contents()
        self._check_against_site(library)
        to_clean = self.run(("clean", "--dry-run"), library)
        assert to_clean.status == 0, f"clean: {to_clean}"
        self.to_clean = to_clean.text
        library.delete()

    def _check_against_site(self, library: Library):
        """Checks that the undisturbed library has the pictures of the site, so that others can be compared with it."""
        # `show` fetches only some of the pictures of a changed site.
        keeps = self.phase.keeps_pictures or self.phase.command[0] == "show"
        versions = {self.phase.version} | ({1} if keeps else set())
        stored = {"originals": library.originals(), "thumbnails": library.thumbnails()}
        for table, pictures in stored.items():
            for entry, address, found in pictures.values():
                # Made thumbnails have the address of an original. For wide pictures, the library makes smaller ones.
                if f"/{table}/" in address and "/wide/" not in address:
                    right = {_hash(self.site, address, version) for version in versions}
                    assert found in right, f"{entry}: {address}"

    @functools.cached_property
    def right_pictures(self) -> set[StoredPicture]:
        """The pictures that may be stored at any time: those from before the phase and those from after it."""
        before = self._before.pictures if self._before else set()
        return before | self.expected.pictures

    def copy(self, name: str) -> Library:
        """A copy of the library with which the phase begins."""
        self._template.rewind_objects()
        return self._template.copy(self._folder / name)

    def command_line(self, command: Command, library: Library) -> list[str]:
        def meaning(word: str) -> str:
            if word.startswith("/"):
                return self.site.address + word
            return str(library.place / word) if word == EXPORTED else word

        words = map(meaning, command)
        return [self._program, *words, "--cache", library.address, *library.options(command[0])]

    def run(self, command: Command, library: Library) -> Result:
        return Run(self.command_line(command, library)).finish()

    def complete(self, command: Command, library: Library):
        self._check_status(self.run(command, library), command)

    def _check_status(self, result: Result, command: Command):
        assert result.status in self.phase.statuses, f"{command} ended with {result}"


class Life:
    """A library that is disturbed repeatedly in one phase."""

    def __init__(self, bench: Bench, name: str, chance: random.Random):
        self._bench, self._chance = bench, chance
        self.library = bench.copy(name)
        self._known = self.library.identities() if self.library.exists else {}
        self._highest = max(self._known, default=0)

    def disturb(self, part: float) -> tuple[Disturbance, Moment, bool]:
        """Begins the phase's command and disturbs it somewhere in the first `part` of its work.

        Returns the disturbance, its moment, and whether it happened before the command had ended.
        """
        bench = self._bench
        disturbance = self._chance.choice(bench.phase.disturbances)
        moment = Moment.choose(self._chance, bench.totals, part)
        watch = Watch(bench.site, self.library)
        run = disturbance.start(bench.command_line(bench.phase.command, self.library))
        decoders: list[int] = []
        has_come = moment.wait(watch, run.has_ended, run.read)
        if has_come:
            decoders = run.decoders()
            has_come = disturbance.happen(run)
        result = run.finish()
        usual = set(bench.phase.statuses)
        allowed = disturbance.statuses(usual) if has_come else usual
        assert result.status in allowed, f"it ended with {result}"
        self._check_decoders(decoders)
        self._check()
        return disturbance, moment, has_come

    def finish(self):
        """Completes the phase, and checks that the library is equal to an undisturbed one."""
        bench = self._bench
        for command in bench.phase.completion:
            if command[0] == "clean":
                self.library.age_locks()
            bench.complete(command, self.library)
        self._check_library(self.library, is_complete=True)
        contents, expected = self.library.contents(), bench.expected
        if bench.phase.bound:
            contents, expected = contents.without_originals(), expected.without_originals()
            self._check_bound(bench.phase.bound)
        found = difference(contents, expected)
        assert not found, found
        leftovers = self.library.leftovers()
        assert not leftovers, f"left behind: {leftovers}"
        # Only replaced files may be left for `clean`.
        result = bench.run(("clean", "--dry-run"), self.library)
        assert result.text == bench.to_clean, f"{result.text} instead of {bench.to_clean}"
        self.library.delete()

    def _check(self):
        """Checks a copy of the library, so that the next run finds the library unchanged."""
        if not self.library.is_begun:
            return
        copy = self.library.copy(self.library.place / "copy")
        self._check_library(copy, is_complete=False)
        copy.delete()
        self._check_exported()

    def _check_library(self, library: Library, is_complete: bool):
        bench = self._bench
        listed = bench.run(("list", "--json"), library)
        assert listed.status == 0, f"list: {listed}"
        if not library.exists:
            return
        is_damaged = bench.phase.begins_damaged and not is_complete
        verified = bench.run(("verify", "--restart"), library)
        assert verified.status in ({0, 2} if is_damaged else {0}), f"verify: {verified}"
        library.check_database()
        if not is_damaged:
            self._check_pictures(library)
        self._check_ids(library)

    def _check_pictures(self, library: Library):
        for pictures in (library.thumbnails(), library.originals()):
            for number, stored in pictures.items():
                assert stored in self._bench.right_pictures, f"picture of image {number}: {stored}"
        for stored in library.newer():
            assert stored in self._bench.expected.newer, f"newer picture: {stored}"

    def _check_bound(self, bound: int):
        """Checks that the originals are within their bound, and that no more gave way than a few steps need."""
        kept = sum(path.stat().st_size for path in self.library.original_files())
        assert bound - 500_000 < kept <= bound, f"{kept} bytes of originals with a bound of {bound}"

    def _check_ids(self, library: Library):
        """Checks that known ids keep their meaning, and that new ids were never used before."""
        identities = library.identities()
        for number, entry in self._known.items():
            if number in identities or not self._bench.phase.deletes:
                assert identities.get(number) == entry, f"image {number}: {identities.get(number)}"
        new = identities.keys() - self._known.keys()
        assert all(number > self._highest for number in new), f"ids used again: {sorted(new)}"
        self._known |= identities
        self._highest = max(self._known, default=0)

    def _check_exported(self):
        """Checks that a copy from `show --output`, if it exists, is complete."""
        path = self.library.place / EXPORTED
        if path.exists():
            right = self._bench.site.body("/originals/20/large20.png", 1)
            assert path.read_bytes() == right, "the copy is not the picture"

    @staticmethod
    def _check_decoders(decoders: list[int]):
        deadline = time.monotonic() + DECODER_PATIENCE
        while any(_is_there(decoder) for decoder in decoders):
            assert time.monotonic() < deadline, f"decoders live on: {decoders}"
            time.sleep(0.005)


def _is_there(process: int) -> bool:
    """Whether a process is running. A zombie is not."""
    try:
        status = pathlib.Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


@functools.lru_cache(maxsize=None)
def _hash(site: Site, address: str, version: int) -> str:
    return hashlib.sha256(site.body(address, version)).hexdigest()
