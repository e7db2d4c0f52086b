#!/usr/bin/env python3
"""Runs real programs beside `gallery`, and compares what each makes of the other with tables in words.

  run.py --list
  run.py --packages PyPI|Debian [--long] [NAME …]
  run.py --programs FOLDER [--long] [NAME …]

A part has a table, tables/GROUP/NAME.txt, and a function NAME in GROUP.py that returns the lines of the table as they
are today. The first line of a table says what the part is, the next ones name its programs and their versions. Behind
the first empty line, lines that begin with # are comments. `needs:` names a package of Debian whose version does not
matter. Parts with the line `run: with --long` run only with --long, or if they are named.

Ends with 0 if every part gave what its table says, with 1 if one did not, and else with 69 if a program of the stated
version cannot be had here.
"""

import argparse
import concurrent.futures
import difflib
import importlib
import importlib.metadata
import pathlib
import re
import subprocess
import sys
import time
import traceback

TABLES = pathlib.Path(__file__).resolve().parent / "tables"
PROGRAM = re.compile(r"program: (\S+) (\S+) \((PyPI|Debian)(?: (\S+?)(?: (\S+))?)?\)")
# The status EX_UNAVAILABLE of sysexits.h.
UNAVAILABLE = 69


class Program:
    """A program of a stated version, and the package that has it."""

    def __init__(self, line):
        stated = PROGRAM.fullmatch(line)
        if not stated:
            sys.exit(f"this line names no program: {line}")
        self.name, self.version, self.registry, package, package_version = stated.groups()
        self.package, self.package_version = package or self.name, package_version or self.version
        self.words = line.removeprefix("program: ")
        # The package as the client of its registry wants it. Debian has one version at a time.
        self.wanted = f"{self.package}=={self.package_version}" if self.registry == "PyPI" else self.package

    def installed(self):
        """The version of the package that is installed, or None."""
        if self.registry == "PyPI":
            try:
                return importlib.metadata.version(self.package.partition("[")[0])
            except importlib.metadata.PackageNotFoundError:
                return None
        return debian_version(self.package)

    def lack(self):
        """Why the program cannot be used, or None."""
        installed = self.installed()
        if installed == self.package_version:
            return None
        return f"{self.words} cannot be had: " + (f"here is {installed}" if installed else "it is not installed")


def debian_version(package):
    """The version of the program in a package of Debian that is installed, or None."""
    query = ["dpkg-query", "-W", "-f", "${db:Status-Status} ${source:Upstream-Version}", package]
    try:
        found = subprocess.run(query, capture_output=True, text=True).stdout.split()
    except FileNotFoundError:  # This is no Debian.
        return None
    return found[1].partition("+")[0] if found[:1] == ["installed"] else None


class Part:
    """A part, as its table describes it."""

    def __init__(self, table):
        self.name, self.group = table.stem, table.parent.name
        head, _, body = table.read_text().partition("\n\n")
        self.purpose, *fields = head.splitlines()
        self.programs = [Program(line) for line in fields if line.startswith("program: ")]
        # Debian's packages of any version.
        self.needs = [line.removeprefix("needs: ") for line in fields if line.startswith("needs: ")]
        self.is_long = "run: with --long" in fields
        self.expected = facts(body.splitlines())

    def result(self, tools):
        """The lines of the table as they are today."""
        function = getattr(importlib.import_module(self.group), self.name.replace("-", "_"))
        lines = list(function(tools))
        tools.stop_servers()
        return facts("\n".join(lines).splitlines())


def facts(lines):
    return [line.rstrip() for line in lines if line.strip() and not line.startswith("#")]


def chosen(parts, names, long):
    """The named parts; without names, all that run without --long, or with it."""
    unknown = set(names) - {part.name for part in parts}
    if unknown:
        print(f"there is no part {' or '.join(sorted(unknown))}; --list names the parts", file=sys.stderr)
        sys.exit(64)
    return [part for part in parts if (part.name in names if names else long or not part.is_long)]


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition("\n\n")[2].partition("\n\n")[0])
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--packages", choices=["PyPI", "Debian"])
    parser.add_argument("--programs", type=pathlib.Path)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    parts = sorted((Part(table) for table in TABLES.glob("*/*.txt")), key=lambda part: (part.group, part.name))
    if options.list:
        for part in parts:
            programs = ", ".join(program.words for program in part.programs) or "no other program"
            print(f"{part.name:<18} {'--long' if part.is_long else 'always':<7} {programs}")
    elif options.packages:
        parts = chosen(parts, options.names, options.long)
        programs = [program for part in parts for program in part.programs]
        packages = {program.wanted for program in programs if program.registry == options.packages}
        if options.packages == "Debian":
            packages.update(need for part in parts for need in part.needs)
        print(*sorted(packages), sep="\n")
    elif options.programs:
        sys.exit(run(chosen(parts, options.names, options.long), options.programs.resolve(), options.long))
    else:
        parser.error("what to do?")


def run(parts, programs, long):
    """Runs the parts, two at a time, and returns the exit status."""
    passed, failed, missing = [], [], []
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        # The slowest ones begin first.
        parts = sorted(parts, key=lambda part: part.group != "served")
        running = [pool.submit(outcome, part, programs, long) for part in parts]
        for done in concurrent.futures.as_completed(running):
            word, name, text = done.result()
            {"passed": passed, "FAILED": failed, "MISSING": missing}[word].append(name)
            print(f"{word} {name}: {text}", flush=True)
    print(f"{len(passed)} parts passed, {len(failed)} failed, {len(missing)} could not be run")
    return 1 if failed or not parts else UNAVAILABLE if missing else 0


def outcome(part, programs, long):
    """Runs a part; returns a word, its name, and what there is to say."""
    from tools import Tools

    lacks = [lack for lack in (program.lack() for program in part.programs) if lack]
    lacks += [f"{need} is not installed" for need in part.needs if not debian_version(need)]
    if lacks:
        return "MISSING", part.name, "; ".join(lacks)
    began = time.monotonic()
    with Tools(programs, long) as tools:
        try:
            result = part.result(tools)
            difference = list(difflib.unified_diff(part.expected, result, "the table", "today", lineterm="", n=4))
        except Exception:
            difference = [traceback.format_exc()]
    count = f"{len(part.expected)} fact{'' if len(part.expected) == 1 else 's'}"
    text = f"{count} in {time.monotonic() - began:.1f} s"
    return "FAILED" if difference else "passed", part.name, "\n".join([text, *difference])


if __name__ == "__main__":
    main()
