"""Commands that are run, measured and compared."""

import dataclasses
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


class Run:
    """What one run of a command took; a command that fails ends the benchmark."""

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
    """Has a run begin with nothing left to write down, with memory that is there, and with a server that
    waits for no disk.

    A virtual machine may have given its free memory back to its host. To get it again costs ten times what
    memory costs, page by page, and whether a run meets that depends on what was deleted before it. It may have
    given back what it had read of files, too.
    """
    os.sync()
    subprocess.run([sys.executable, "-B", MEMORY_PROGRAM, str(memory)], check=True)
    for folder in served:
        read_all(folder)


def read_all(folder):
    """Reads every file below a folder, and keeps nothing of it."""
    piece = bytearray(1 << 20)
    for path in pathlib.Path(folder).rglob("*"):
        if path.is_file():
            with open(path, "rb", buffering=0) as file:
                while file.readinto(piece):
                    pass


def alternate(count, *sides):
    """Runs each side in turn, `count` times, after a run of each that does not count.

    So a machine that grows slower or faster meanwhile does so for all of them. The order is another one
    each time, so that none always comes after the same.
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


def alternate_briefly(count, *commands):
    """As `alternate`, of commands that take milliseconds: hyperfine(1) runs each ten times in its turn,
    without a shell, and the medians of the tens count."""
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
    """What some runs of a command took."""

    seconds: float


def seconds(runs):
    """The median of the times of runs."""
    return statistics.median(run.seconds for run in runs)


def ratio(ours, theirs):
    """The median of the ratios of the runs that were made side by side."""
    return statistics.median(a.seconds / b.seconds for a, b in zip(ours, theirs))


def lines(command):
    """The lines that a command prints, however many, without keeping them."""
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE)
    yield from process.stdout
    if process.wait() != 0:
        sys.exit(f"exit {process.returncode} from: {' '.join(map(str, command))}")


def on_path(name):
    """Where a program is; None when it is not installed."""
    return shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin")
