"""Runs of the program, and the ways in which they are disturbed."""
import dataclasses
import os
import pathlib
import pty
import signal
import subprocess
import tempfile
import time

# Seconds that any run may take. A longer run counts as hanging.
PATIENCE = 120
# The program tries a picture five times if another process ends its decoder. With at most four ended decoders in a
# run, its result is certain.
DECODERS_ENDED = 4


@dataclasses.dataclass(frozen=True)
class Result:
    """The result of a run: its status, negative after a signal, and its output, if that was kept."""
    status: int
    text: str

    def __str__(self) -> str:
        return f"status {self.status}, and these last words: {self.text[-800:]!r}"


class Run:
    """A run of the program. Its output goes to a file."""

    def __init__(self, command: list[str]):
        self._text = tempfile.TemporaryFile()
        self.process = self._start(command)

    def _start(self, command: list[str]) -> subprocess.Popen:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self._text,
                                stderr=self._text)

    def has_ended(self) -> bool:
        return self.process.poll() is not None

    def read(self):
        """Reads the program's output, if the program would otherwise block."""

    def decoders(self) -> list[int]:
        """The child processes of the run."""
        pid = self.process.pid
        try:
            tasks = list(pathlib.Path(f"/proc/{pid}/task").iterdir())
            return [int(child) for task in tasks
                    for child in (task / "children").read_text().split()]
        except (FileNotFoundError, ProcessLookupError):
            return []

    def finish(self) -> Result:
        deadline = time.monotonic() + PATIENCE
        while not self.has_ended():
            self.read()
            assert time.monotonic() < deadline, f"it does not end: {self.process.args}"
            time.sleep(0.001)
        self._text.seek(0)
        with self._text:
            return Result(self.process.returncode, self._text.read().decode(errors="replace"))


class PipedRun(Run):
    """A run with pipes for output and errors, whose reader may close them."""

    def _start(self, command: list[str]) -> subprocess.Popen:
        self._ends = [os.pipe(), os.pipe()]
        for reading, _ in self._ends:
            os.set_blocking(reading, False)
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self._ends[0][1],
                                   stderr=self._ends[1][1])
        for _, writing in self._ends:
            os.close(writing)
        self._reading = [reading for reading, _ in self._ends]
        return process

    def read(self):
        for reading in self._reading:
            try:
                os.read(reading, 4_096)
            except BlockingIOError:
                pass

    def close(self):
        for reading in self._reading:
            os.close(reading)
        self._reading = []

    def finish(self) -> Result:
        result = super().finish()
        self.close()
        return result


class TerminalRun(Run):
    """A run on a separate terminal."""

    def _start(self, command: list[str]) -> subprocess.Popen:
        self._terminal, inner = pty.openpty()
        os.set_blocking(self._terminal, False)
        environment = {**os.environ, "TERM": "xterm-256color"}
        # setsid(1) makes this the controlling terminal, so that closing it sends a SIGHUP.
        process = subprocess.Popen(["setsid", "--ctty", *command], stdin=inner, stdout=inner,
                                   stderr=inner, env=environment)
        os.close(inner)
        return process

    def read(self):
        if self._terminal is None:
            return
        try:
            os.read(self._terminal, 65_536)
        except (BlockingIOError, OSError):
            # There is no output yet, or the other side is closed (EIO).
            pass

    def close(self):
        if self._terminal is not None:
            os.close(self._terminal)
            self._terminal = None

    def finish(self) -> Result:
        result = super().finish()
        self.close()
        return result


class Disturbance:
    """One way to disturb a run, and the statuses with which the run may end then."""
    name = ""

    def start(self, command: list[str]) -> Run:
        return Run(command)

    def happen(self, run: Run) -> bool:
        """Disturbs a run; returns false if there was nothing to disturb."""
        raise NotImplementedError

    def statuses(self, usual: set[int]) -> set[int]:
        raise NotImplementedError


class Kill(Disturbance):
    """A SIGKILL, which no program can handle."""
    name = "kill"

    def happen(self, run: Run) -> bool:
        # If the program has already ended by itself, it was not killed.
        run.process.kill()
        return run.process.wait(PATIENCE) == -signal.SIGKILL

    def statuses(self, usual: set[int]) -> set[int]:
        return {-signal.SIGKILL}


class Signals(Disturbance):
    """One or two signals that ask the program to end. It must obey the second one at once."""
    name = "signal"

    def __init__(self, *signals: signal.Signals):
        self._signals = signals

    def happen(self, run: Run) -> bool:
        for number in self._signals:
            run.process.send_signal(number)
        return True

    def statuses(self, usual: set[int]) -> set[int]:
        # A signal before the program installs its handlers ends it in the default way. A signal after the end of the
        # work changes nothing.
        asked = {128 + number for number in self._signals} | {-number for number in self._signals}
        return asked | usual


class ClosedTerminal(Disturbance):
    """The terminal's window is closed: the program gets a SIGHUP, and output fails from then on."""
    name = "terminal"

    def start(self, command: list[str]) -> Run:
        return TerminalRun(command)

    def happen(self, run: Run) -> bool:
        assert isinstance(run, TerminalRun)
        run.close()
        return True

    def statuses(self, usual: set[int]) -> set[int]:
        # 1: output could not be written.
        return {128 + signal.SIGHUP, -signal.SIGHUP, 1} | usual


class LeftTerminal(ClosedTerminal):
    """The terminal's window is closed, but the program ignores SIGHUP and continues, as with nohup(1)."""

    def start(self, command: list[str]) -> Run:
        return TerminalRun(["sh", "-c", 'trap "" HUP; exec "$@"', "sh", *command])

    def statuses(self, usual: set[int]) -> set[int]:
        return {1} | usual


class ClosedPipe(Disturbance):
    """The reader closes the pipe, as `| head -1` does: the program ends quietly, or continues its work."""
    name = "pipe"

    def start(self, command: list[str]) -> Run:
        return PipedRun(command)

    def happen(self, run: Run) -> bool:
        assert isinstance(run, PipedRun)
        run.close()
        return True

    def statuses(self, usual: set[int]) -> set[int]:
        return usual


class EndedDecoders(Disturbance):
    """Another process ends decoders, but not the program. No data may be lost."""
    name = "decoder"

    def happen(self, run: Run) -> bool:
        seen: set[int] = set()
        while len(seen) < DECODERS_ENDED and not run.has_ended():
            for decoder in set(run.decoders()) - seen:
                seen.add(decoder)
                self._end(decoder)
                break
            time.sleep(0.001)
        return bool(seen)

    @staticmethod
    def _end(decoder: int):
        # Wait for up to forty milliseconds, to end the decoder at its start or at work.
        time.sleep(0.002 * (decoder % 20))
        try:
            os.kill(decoder, signal.SIGKILL)
        except ProcessLookupError:
            # The run and its decoders have already ended.
            pass

    def statuses(self, usual: set[int]) -> set[int]:
        return usual


KILL = Kill()
SIGNALS = [
    Signals(signal.SIGINT), Signals(signal.SIGTERM), Signals(signal.SIGHUP),
    Signals(signal.SIGINT, signal.SIGTERM), Signals(signal.SIGINT, signal.SIGINT),
]
TERMINALS = [ClosedTerminal(), LeftTerminal()]
PIPE, DECODERS = ClosedPipe(), EndedDecoders()
