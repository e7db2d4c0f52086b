"""Attacks the program, and checks that it stays within its bounds and gives the right answers.

The parts are functions with the decorator `@part` (common.py) in the modules whose names have an underscore: `server_*`
(hostile clients), `gallery_*` (hostile galleries, stores and files), `feed_*` (hostile feeds and lists) and `program_*`
(the terminal, settings, hooks, input, environment).

Of each command, a part notes the most memory, processor time, and time for which a sync kept others from writing.
Each part gets a `Run`: a folder of its own, random numbers that depend only on the seed and its name, and functions
that start programs and end them with the part. A part fails when one of its checks fails, when it takes too long, or
when a program that it started has crashed.

Without options, it runs the quick parts, which take less than 20 seconds together. --long runs all parts, with larger
numbers.
"""
import argparse
import importlib
import pathlib
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback

import programs

from .common import PARTS, Part, Run


class TooLong(Exception):
    """Raised in a part that has used its time."""


def load():
    """Imports all modules with parts."""
    for path in sorted(pathlib.Path(__file__).parent.glob("[a-z]*_*.py")):
        importlib.import_module(f"Attacks.{path.stem}")


def attack(part: Part, folder: pathlib.Path, seed: int, is_long: bool) -> bool:
    """Runs a part, and prints its result; returns whether everything was right."""
    folder.mkdir()
    run = Run(part.name, folder, seed, is_long)
    begin = time.monotonic()
    signal.setitimer(signal.ITIMER_REAL, part.long_seconds if is_long else part.seconds)
    try:
        with run.everything:
            part.function(run)
    except Exception as error:
        # The part ends here, but the others go on.
        if not isinstance(error, TooLong):
            traceback.print_exc()
        run.check(False, f"{type(error).__name__}: {error}")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    if run.most["memory"]:
        run.note("commands {memory:.0f} MB, {processor:.1f} s of a core, lock {0:.0f} ms".format(
            run.most["lock"] * 1_000, **run.most))
    notes = "".join(f", {note}" for note in run.notes)
    result = f"FAILED in {len(run.failures)} of" if run.failures else "held in all"
    print(f"{part.name}: {result} {run.checks} checks, {time.monotonic() - begin:.1f} s{notes}", flush=True)
    for failure in run.failures[:20]:
        print(f"  {failure}", flush=True)
    return not run.failures


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="Scripts/attack", description=__doc__.splitlines()[0])
    parser.add_argument("--long", action="store_true", help="run all parts, with larger numbers")
    parser.add_argument("--part", action="append", metavar="NAME",
                        help="only parts whose names contain this; may be given again")
    parser.add_argument("--seed", type=int, default=1, help="the beginning of all random numbers")
    parser.add_argument("--list", action="store_true", help="list the parts and end")
    parser.add_argument("--keep", action="store_true", help="keep the folders of the parts")
    return parser.parse_args()


def chosen_parts(chosen: argparse.Namespace) -> list[Part]:
    """The named parts, or else the quick ones, or all with --long."""
    if chosen.part:
        parts = [part for part in PARTS.values() if any(name in part.name for name in chosen.part)]
        if not parts:
            sys.exit("there is no such part: see --list")
        return parts
    return [part for part in PARTS.values() if chosen.long or not part.is_long]


def stop(number: int, _):
    """Ends the part, or exits normally, so that programs are stopped, too."""
    if number == signal.SIGALRM:
        raise TooLong("the part has used its time")
    sys.exit(128 + number)


def main() -> int:
    chosen = options()
    load()
    if chosen.list:
        for part in PARTS.values():
            print(f"{part.name}{' (long)' if part.is_long else ''}: {part.text}")
        return 0
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGALRM):
        signal.signal(number, stop)
    # A shell ignores it for what it runs in the background, and programs would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    programs.path("gallery")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="gallery-attack-"))
    try:
        results = {part.name: attack(part, folder / part.name, chosen.seed, chosen.long)
                   for part in chosen_parts(chosen)}
    finally:
        if chosen.keep:
            print(f"kept: {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    failed = [name for name, is_right in results.items() if not is_right]
    print(f"{len(results) - len(failed)} of {len(results)} parts held" + "".join(f"; {name} failed" for name in failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
