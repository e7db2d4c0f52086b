"""A wrong clock for one program."""
import os
import signal
import subprocess


class Clock:
    """The variables with which a program's clock is wrong by an offset such as `+5m` (faketime(1))."""

    def __init__(self, offset: str):
        # The variables name shared memory that lasts as long as this process. A program that had to make it would
        # lose its arguments.
        command = ["faketime", "--exclude-monotonic", "-m", "-f", offset, "sh", "-c", "env; echo; exec sleep 100000"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
        lines = iter(self._process.stdout.readline, "\n")
        variables = dict(line.rstrip("\n").split("=", 1) for line in lines if "=" in line)
        self.variables = {name: value for name, value in variables.items() if "FAKE" in name or name == "LD_PRELOAD"}

    def stop(self) -> None:
        os.killpg(self._process.pid, signal.SIGTERM)
        self._process.wait(timeout=30)
