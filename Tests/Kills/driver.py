"""Disturbs gallery at many moments of all that it does, and looks at what that leaves.

Each library lives through one phase (phases.py), such as the arrival of a document, the fetching or making
of pictures, a migration, a removal or a repair. The driver starts the phase's command and disturbs it, a few
times in a row. Most disturbances are a SIGKILL. The others are signals, a closed terminal, a closed pipe, and
ended decoders (runs.py). Each happens at a moment that depends on the command's progress (moments.py).

After each disturbance, a copy of the library must be sound, by the checks of SQLite and `gallery verify`. Every
stored picture must be equal to one that the site has, or had, under its address. Every id must keep its meaning.
Finally the command is completed. The library must then be equal to an undisturbed one, and no temporary files or
locks may be left (lives.py).

With --postgres, libraries are in PostgreSQL, and their originals also in SeaweedFS (cluster.py).
"""
import argparse
import collections
import contextlib
import dataclasses
import pathlib
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback

import programs

from .cluster import stores
from .library import Library
from .lives import Bench, Life, Make
from .phases import PHASES, Phase
from .site import Site

MOST_PER_LIFE = 4


class Driver:
    """Runs lives until enough runs have been disturbed, and counts the disturbances."""

    def __init__(self, program: str, folder: pathlib.Path, seed: int, make: Make):
        self._program, self._folder, self._seed, self._make = program, folder, seed, make
        self._site = Site()
        self._benches: dict[str, Bench] = {}
        self._lives: collections.Counter = collections.Counter()
        self.counts: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)
        self.moments: collections.Counter = collections.Counter()
        self.failures: list[str] = []

    @property
    def done(self) -> int:
        """The number of disturbed runs. Failures count, too, so that the driver ends."""
        return sum(counts["disturbed"] + counts["failed"] for counts in self.counts.values())

    def run(self, phases: list[Phase], number: int):
        """Disturbs `number` runs, in all of the phases in turn."""
        while self.done < number:
            for phase in phases[:number - self.done]:
                share = max(1, (number - self.done) // len(phases))
                self._live(phase, most=min(MOST_PER_LIFE, share))

    def _live(self, phase: Phase, most: int):
        self._lives[phase.name] += 1
        # The random choices depend only on this name, so that a phase can be repeated without the others.
        name = f"seed {self._seed}, {phase.name}, life {self._lives[phase.name]}"
        chance = random.Random(name)
        begin = time.monotonic()
        try:
            count = self._disturb(phase, min(most, chance.randint(1, MOST_PER_LIFE)), chance)
            print(f"{name}: {count} times in {time.monotonic() - begin:.1f} s", flush=True)
        except Exception as error:
            if not isinstance(error, AssertionError):
                traceback.print_exc()
            self.counts[phase.name]["failed"] += 1
            self.failures.append(name)
            print(f"{name}: FAILED: {error}", flush=True)

    def _disturb(self, phase: Phase, times: int, chance: random.Random) -> int:
        bench = self._bench(phase)
        self._site.version = phase.version
        life = Life(bench, f"life{self._lives[phase.name]}", chance)
        counts = self.counts[phase.name]
        disturbed = 0
        for _ in range(times):
            disturbance, moment, has_come = life.disturb(1 / times)
            if not has_come:
                # The command had already ended, so there is nothing more to disturb.
                counts["too late"] += 1
                break
            disturbed += 1
            counts[disturbance.name] += 1
            counts["disturbed"] += 1
            self.moments[moment.count] += 1
        life.finish()
        return disturbed

    def _bench(self, phase: Phase) -> Bench:
        if phase.name not in self._benches:
            folder = self._folder / phase.name.replace(" ", "-")
            shutil.rmtree(folder, ignore_errors=True)
            self._benches[phase.name] = Bench(phase, self._program, self._site, folder, self._make)
        return self._benches[phase.name]

    def table(self) -> str:
        """The numbers of disturbances and failures in each phase, by kind."""
        columns = [
            "kill", "signal", "terminal", "pipe", "decoder", "disturbed", "too late", "failed",
        ]
        lines = [f"{'phase':<28}" + "".join(f"{name:>10}" for name in columns)]
        total: collections.Counter = collections.Counter()
        for phase, counts in self.counts.items():
            total += counts
            lines.append(f"{phase:<28}" + "".join(f"{counts[name]:>10}" for name in columns))
        lines.append(f"{'all':<28}" + "".join(f"{total[name]:>10}" for name in columns))
        moments = ", ".join(f"{name} {count}" for name, count in self.moments.most_common())
        return "\n".join([*lines, f"moments told by: {moments}"])


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="Scripts/kills", description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=500, help="how many runs are disturbed")
    parser.add_argument("--seed", type=int, help="repeats the choices of an earlier run")
    parser.add_argument("--phase", action="append", metavar="NAME",
                        help="only phases whose names contain this; may be given again")
    parser.add_argument("--only", metavar="KIND",
                        help="disturb in this way only: kill, signal, terminal, pipe, decoder")
    parser.add_argument("--postgres", action="store_true",
                        help="keep libraries in PostgreSQL, and originals in SeaweedFS")
    parser.add_argument("--list", action="store_true", help="list the phases and end")
    parser.add_argument("--keep", action="store_true", help="keep the folder of a failed library")
    return parser.parse_args()


def disturbed(kind: str | None) -> list[Phase]:
    """The phases that can be disturbed in one way, limited to that way; without a way, all phases."""
    if kind is None:
        return PHASES
    phases = []
    for phase in PHASES:
        ways = tuple(way for way in phase.disturbances if way.name == kind)
        if ways:
            phases.append(dataclasses.replace(phase, disturbances=ways))
    return phases


def chosen_phases(chosen: argparse.Namespace) -> list[Phase]:
    phases = [phase for phase in disturbed(chosen.only)
              if not chosen.phase or any(name in phase.name for name in chosen.phase)]
    assert phases, "there is no such phase: see --list"
    return phases


def main() -> int:
    chosen = options()
    if chosen.list:
        print("\n".join(phase.name for phase in PHASES))
        return 0
    phases = chosen_phases(chosen)
    seed = random.randrange(1_000_000) if chosen.seed is None else chosen.seed
    # A shell may start this in the background with ignored signals, which programs would inherit.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGTERM, signal.SIGHUP):
        # Exit normally, so that servers are stopped, too. Programs do not inherit the handler.
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    random.Random(seed).shuffle(phases)
    program = programs.path("gallery")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="gallery-kills-"))
    is_kept = False
    try:
        with stores(folder) if chosen.postgres else contextlib.nullcontext(Library) as make:
            driver = Driver(program, folder, seed, make)
            try:
                driver.run(phases, chosen.kills)
            finally:
                print(driver.table())
                is_kept = chosen.keep and bool(driver.failures)
    finally:
        if is_kept:
            print(f"kept: {folder}")
        else:
            shutil.rmtree(folder)
    for failure in driver.failures:
        print(f"failed: {failure}")
    return 1 if driver.failures else 0
