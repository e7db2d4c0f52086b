"""Counts of a run of a program: instructions by library, peak memory, page faults, context switches, system calls."""

import collections
import os
import pathlib
import shutil
import signal
import subprocess
import sys

# The parts of a program by the beginnings of their files' names. All others count as "others".
LIBRARIES = {
    "gallery": "gallery", "libsqlite3": "SQLite", "libc.so": "libc", "libcurl": "libcurl", "libexpat": "libexpat",
    "libcrypto": "libcrypto", "libnghttp2": "nghttp2", "libz.so": "zlib",
}
OTHERS = "others"
# Their sum decides. Others depend on the processor (libcrypto), or follow from these.
COUNTED = ["gallery", "SQLite", "libc", "libcurl"]

# The same for each user. Swift's sets and dictionaries have an order that does not change. libc has a memcpy(3) for
# each generation of processors, and takes the one that runs on all of them.
ENVIRONMENT = {
    "PATH": os.environ["PATH"], "LC_ALL": "C", "TZ": "UTC",
    "SWIFT_DETERMINISTIC_HASHING": "1",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX2,-AVX,-SSE4_2,-SSSE3,-ERMS,-FSRM",
}


def instructions(case):
    """The instructions of a run by library, in millions."""
    file = case.work / "callgrind"
    options = ["--tool=callgrind", f"--callgrind-out-file={file}", "--dump-line=no", "--fair-sched=yes"]
    case.run(["valgrind", "--quiet", *options], when_started=forget)
    found = collections.Counter(dict.fromkeys([*LIBRARIES.values(), OTHERS], 0))
    for path, count in costs(file).items():
        name = pathlib.Path(path).name
        found[next((LIBRARIES[start] for start in LIBRARIES if name.startswith(start)), OTHERS)] += count
    found["counted"] = sum(found[name] for name in COUNTED)
    return {name: count / 1e6 for name, count in found.items()}


def forget(process):
    """Sets the counts of a running program to zero: a server's start takes several times as many as its requests."""
    subprocess.run(["vgdb", f"--pid={process.pid}", "zero"], check=True, capture_output=True)


def costs(file):
    """The instructions by the file of their code. A line after `calls=` repeats those of the called function."""
    names, found, current, is_call = {}, collections.Counter(), "", False
    with open(file, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if line[0] in "0123456789+-*":
                if not is_call:
                    found[current] += int(line.split()[1])
                is_call = False
            elif line.startswith("calls="):
                is_call = True
            elif line.startswith(("ob=", "cob=")):
                key, _, value = line.rstrip("\n").partition("=")
                number, _, name = value.partition(" ")
                path = names.setdefault(number, name)
                current = path if key == "ob" else current
            elif line.startswith("totals:") and int(line.split()[1]) != sum(found.values()):
                sys.exit(f"{file}: the instructions of the libraries are not all")
    return found


def resources(case):
    """The peak memory of a run in MB, its page faults and its context switches."""
    file = case.work / "time"
    # Linux counts the memory of the process that starts a program as the program's, and Python's is large.
    case.run(["time", "-f", "%M %R %F %c %w", "-o", file])
    memory, *faults, forced, awaited = map(int, file.read_text().splitlines()[-1].split())
    return {"memory": memory / 1024, "page faults": sum(faults), "switches": forced + awaited}


def system_calls(case):
    file = case.work / "strace"
    case.run(["strace", "-c", "-f", "-U", "calls,name", "-o", file])
    total = next(line for line in file.read_text().splitlines() if line.endswith(" total"))
    return {"system calls": int(total.split()[0])}


class Case:
    """A command whose runs are counted.

    Each run starts in a new folder, with a copy of a library or with an empty one. `drive` uses a server, which is then
    ended; other commands end by themselves. `check` gets the folder, with the command's output in `output`.
    """

    def __init__(self, name, work, command, check=None, library=None, drive=None):
        self.name, self.work, self.folder, self.command = name, work, work / "run", command
        self.check, self.library, self.drive = check, library, drive
        work.mkdir()

    def count(self, tool):
        """The counts of `instructions`, `resources` or `system_calls`, each with a run of its own."""
        return tool(self)

    def run(self, tool, when_started=lambda process: None):
        """Runs the command under a tool; `when_started` is called before the requests of `drive`."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        if self.library:
            shutil.copytree(self.library, self.folder / "library")
        command = [str(word) for word in [*tool, *self.command, "--cache", "library"]]
        with open(self.folder / "output", "w") as output, open(self.folder / "errors", "w") as errors:
            process = subprocess.Popen(
                command, cwd=self.folder, text=True, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE if self.drive else output, stderr=errors,
            )
            if self.drive:
                try:
                    self.drive(process, when_started)
                finally:
                    os.kill(child(process.pid) or process.pid, signal.SIGTERM)
                    process.stdout.close()
        if process.wait() != 0:
            sys.exit(f"exit {process.returncode} from: {' '.join(command)}\n{(self.folder / 'errors').read_text()}")
        if self.check:
            self.check(self.folder)


def child(pid):
    """The process that time(1) or strace(1) has started; valgrind(1) starts none."""
    words = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(words[0]) if words else None
