"""Commands that are run, measured and compared."""

import dataclasses
import functools
import json
import os
import pathlib
import random
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

# The longest time of a run, in seconds; a run that takes longer is killed, and the benchmark ends.
TIME_LIMIT = 900

# The memory that a run can use: an original of 1 GB takes twice as much, including what the server reads. A quick run
# has little data, and may be on a small machine.
QUICK_MEMORY = 128 << 20
MEMORY_PROGRAM = pathlib.Path(__file__).with_name("memory.py")
memory = 2 << 30

# The folders whose files are served.
served = []

# The largest peak of resident memory of each program since this was last cleared.
peaks = {}

# Whether only the first side runs, which is gallery.
without_peers = False


class Run:
    """The time and memory of one run of a command; a command that fails ends the benchmark."""

    def __init__(self, command, cwd=None, statuses=(0,)):
        command = [str(part) for part in command]
        settle()
        with tempfile.NamedTemporaryFile("r") as peak:
            # Linux counts the memory of the process that starts a program as the program's, and Python's is large.
            timed = ["time", "-f", "%M", "-o", peak.name, *command]
            began = time.perf_counter()
            process = subprocess.Popen(
                timed, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
            )
            watch = threading.Timer(TIME_LIMIT, os.killpg, (process.pid, signal.SIGKILL))
            watch.start()
            errors = process.stderr.read()
            _, status, usage = os.wait4(process.pid, 0)
            self.seconds = time.perf_counter() - began
            watch.cancel()
            self.peak_bytes = int(peak.read().split()[-1]) * 1024
        process.returncode = os.waitstatus_to_exitcode(status)
        self.processor_seconds = usage.ru_utime + usage.ru_stime
        peaks[command[0]] = max(peaks.get(command[0], 0), self.peak_bytes)
        if process.returncode not in statuses:
            sys.stderr.buffer.write(errors)
            sys.exit(f"exit {process.returncode} from: {' '.join(command)[:500]}")


def settle():
    """Prepares a run: no data is left to flush, memory is available, and the server waits for no disk.

    A virtual machine may have returned its free memory to its host. Getting it back costs ten times as much
    as other memory, page by page. Whether this affects a run depends on the files that were deleted before
    it. The machine may have returned its cache of files, too.
    """
    os.sync()
    subprocess.run([sys.executable, "-B", MEMORY_PROGRAM, str(memory)], check=True)
    for folder in served:
        read_all(folder)


def read_all(folder):
    """Reads every file below a folder, and discards the content."""
    piece = bytearray(1 << 20)
    for path in pathlib.Path(folder).rglob("*"):
        if path.is_file():
            with open(path, "rb", buffering=0) as file:
                while file.readinto(piece):
                    pass


class StandIn:
    """The result of a side that does not run: one second, one byte. So a ratio is a number of gallery alone."""

    def __getattr__(self, _):
        return 1.0


def peer_value(value):
    """The divisor of a ratio; 1 when no peers run. If gallery itself gives the divisor, a change of both would hide."""
    return 1.0 if without_peers else value


def may_leave_out_peers(alternate):
    """Makes a function that runs sides obey `without_peers`."""

    @functools.wraps(alternate)
    def run(count, *sides):
        if not without_peers:
            return alternate(count, *sides)
        return [*alternate(count, sides[0]), *([StandIn()] * count for _ in sides[1:])]

    return run


@may_leave_out_peers
def alternate(count, *sides):
    """Runs each side in turn, `count` times, after a run of each that does not count.

    So a machine that becomes slower or faster affects all sides alike. The order changes each time, so that
    no side always runs after the same one.
    """
    for side in sides:
        side()
    shuffler = random.Random(0)  # The same order whenever it is run.
    results = [[] for _ in sides]
    for _ in range(count):
        turns = list(zip(sides, results))
        shuffler.shuffle(turns)
        for side, runs in turns:
            runs.append(side())
    return results


@may_leave_out_peers
def alternate_briefly(count, *commands):
    """Does the same as `alternate` for commands that take milliseconds. In each turn, hyperfine(1) runs a command
    ten times without a shell, and the median counts."""
    results = []
    for _ in range(count):
        with tempfile.NamedTemporaryFile() as file:
            options = ["--shell=none", "--style=none", "--warmup=1", "--runs=10"]
            texts = [shlex.join(map(str, command)) for command in commands]
            subprocess.run(
                ["hyperfine", *options, "--export-json", file.name, *texts],
                check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )
            found = json.load(file)["results"]
        results.append([Time(result["median"]) for result in found])
    return [list(column) for column in zip(*results)]


@dataclasses.dataclass
class Time:
    """The time that some runs of a command took."""

    seconds: float


def seconds(runs):
    """The median of the times of runs."""
    return statistics.median(run.seconds for run in runs)


def ratio(ours, theirs):
    """The median of the ratios of the runs that were made side by side."""
    return statistics.median(a.seconds / b.seconds for a, b in zip(ours, theirs))


def lines(command):
    """The lines that a command prints, without keeping them in memory."""
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE)
    yield from process.stdout
    if process.wait() != 0:
        sys.exit(f"exit {process.returncode} from: {' '.join(map(str, command))}")


def on_path(name):
    """The path of a program; None when it is not installed."""
    return shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin")
