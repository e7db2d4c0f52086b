"""What all attacks share: how a part is declared, and what it has at hand."""
import contextlib
import dataclasses
import os
import pathlib
import random
from collections.abc import Callable

import programs

from .processes import Command, LockWatch, Server, environment
from .sites import Answering, Site, photographs

# The bounds for everything that a stranger can cause.
MEMORY_MB = 150
PROCESSOR_SECONDS = 60
LOCK_SECONDS = 0.05
# How many times as long a lock may take here, because others work beside the driver: at least, and for each task that
# waits for a core.
LOCK_ROOM, LOCK_ROOM_PER_LOAD = 10, 2


@dataclasses.dataclass
class Part:
    """An attack with a name. Its docstring says what must hold."""
    name: str
    function: Callable[["Run"], None]
    is_long: bool
    # The time that it may take in each form.
    seconds: float
    long_seconds: float

    @property
    def text(self) -> str:
        return (self.function.__doc__ or "").strip().splitlines()[0]


PARTS: dict[str, Part] = {}


def part(function: Callable | None = None, *, long: bool = False, seconds: float = 60, long_seconds: float = 600):
    """Declares a function as a part; with `long`, only for the long form."""
    def declare(function: Callable) -> Callable:
        name = f"{function.__module__.rpartition('.')[2]}.{function.__name__}"
        PARTS[name] = Part(name, function, long, seconds, long_seconds)
        return function
    return declare(function) if function else declare


class Run:
    """One run of a part. Everything that it starts ends with it."""

    def __init__(self, name: str, folder: pathlib.Path, seed: int, is_long: bool):
        self.folder, self.is_long = folder, is_long
        self.chance = random.Random(f"{name} {seed}")
        self.everything = contextlib.ExitStack()
        self.checks = 0
        self.failures: list[str] = []
        # Figures for the reader, such as the memory that a program used.
        self.notes: list[str] = []
        # The most that a command has taken of each: MB, seconds of a core, seconds of a lock.
        self.most = {"memory": 0.0, "processor": 0.0, "lock": 0.0}

    # Results

    def check(self, is_right: bool, what: str):
        """Notes a failure, and goes on, so that one run shows all of them."""
        self.checks += 1
        if not is_right:
            self.failures.append(what)

    def equal(self, found, expected, what: str):
        self.check(found == expected, f"{what}: {found!r} instead of {expected!r}")

    def among(self, found, expected, what: str):
        self.check(found in expected, f"{what}: {found!r} is not one of {expected!r}")

    def note(self, text: str):
        self.notes.append(text)

    def number(self, quick: int, long: int) -> int:
        """A number for each form."""
        return long if self.is_long else quick

    # Programs

    def gallery(self, library: pathlib.Path | str, *arguments: str, seconds: float = 60, status: int | None = 0,
                memory: float = MEMORY_MB, processor: float = PROCESSOR_SECONDS, **variables: str) -> Command:
        """Runs a command on a library until it ends; checks its exit status, its memory and its processor time, and how
        long a sync keeps others from writing to a library in SQLite.

        Without a `status`, each one is right except an end by a signal.
        """
        is_watched = arguments[0] == "sync" and isinstance(library, pathlib.Path)
        watch = LockWatch(library / "gallery.sqlite") if is_watched else None
        try:
            command = Command([programs.path("gallery"), *arguments], environment(library, **variables), seconds)
        finally:
            if watch:
                watch.close()
        what = " ".join(arguments)[:200]
        self.check(not command.is_late, f"{what}: has not ended after {seconds} s")
        if not command.is_late:
            self.check(command.status == status if status is not None else command.status >= 0,
                       f"{what}: status {command.status}: {command.output[-500:]}")
        self.check(command.memory <= memory, f"{what}: {command.memory:.0f} MB")
        self.check(command.processor <= processor, f"{what}: {command.processor:.1f} s of a core")
        self._measure(memory=command.memory, processor=command.processor)
        if watch:
            self.locked(watch.longest, what)
        return command

    def locked(self, seconds: float, what: str):
        """Checks how long a command has kept others from writing."""
        self._measure(lock=seconds)
        load = os.getloadavg()[0] / (os.cpu_count() or 1)
        room = max(LOCK_ROOM, LOCK_ROOM_PER_LOAD * load)
        self.check(seconds <= LOCK_SECONDS * room, f"{what}: a lock of {seconds:.2f} s")

    def _measure(self, **found: float):
        for name, value in found.items():
            self.most[name] = max(self.most[name], value)

    def serve(self, library: pathlib.Path | str, *arguments: str, before: tuple[str, ...] | list[str] = (),
              **variables: str) -> Server:
        """Starts a server, with the words of another program before it; at the end of the part it must still run, and
        end when it is asked to."""
        server = Server([*before, programs.path("gallery")], library, self.folder, arguments, variables)
        self.everything.callback(self._end, server)
        return server

    def _end(self, server: Server):
        if server.is_stopped:
            return
        peak, processor = server.memory, server.processor
        self.check(server.is_alive, f"the server has ended: {server.log()[-500:]}")
        self.check(server.stop(), "the server does not end")
        self.check("Fatal error" not in server.log(), f"the server wrote: {server.log()[-500:]}")
        self.note(f"server {peak:.0f} MB, {processor:.1f} s of a core")

    def bounded(self, server: Server, memory: float = MEMORY_MB, processor: float = PROCESSOR_SECONDS):
        """Checks what a server has used since its start, without its decoders."""
        self.check(server.memory <= memory, f"the server used {server.memory:.0f} MB")
        self.check(server.processor <= processor, f"the server used {server.processor:.1f} s of a core")

    def site(self, answer: Answering = photographs) -> Site:
        """Starts a web server that answers with a function."""
        site = Site(answer)
        self.everything.callback(site.close)
        return site

    def library(self, *feeds: str, name: str = "library", originals: bool = False) -> pathlib.Path:
        """Makes a library of the feeds of a site."""
        library = self.folder / name
        self.gallery(library, "sync", *feeds, *(["--originals"] if originals else []))
        return library
