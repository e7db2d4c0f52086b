"""Running the program, and the ways in which it is disturbed."""
import dataclasses
import os
import pathlib
import pty
import signal
import subprocess
import tempfile
import time

# How long any run may take, disturbed or not, in seconds: longer, and it hangs.
PATIENCE = 120
# The decoder tries a picture five times when somebody else ends its process: so often at most may
# one be ended in a run for its result to be certain.
DECODERS_ENDED = 4


@dataclasses.dataclass(frozen=True)
class Result:
    """How a run ended: its status, negative after a signal, and what it wrote, if that was kept."""
    status: int
    text: str

    def __str__(self) -> str:
        return f"status {self.status}, and these last words: {self.text[-800:]!r}"


class Run:
    """A run of the program that is under way; its output goes to a file."""

    def __init__(self, command: list[str]):
        self._text = tempfile.TemporaryFile()
        self.process = self._start(command)

    def _start(self, command: list[str]) -> subprocess.Popen:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self._text,
                                stderr=self._text)

    def has_ended(self) -> bool:
        return self.process.poll() is not None

    def read(self):
        """Takes what the program has written, where it would wait for that."""

    def decoders(self) -> list[int]:
        """The processes that this one has started."""
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
    """A run whose output and errors a reader takes through pipes, and then no more."""

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
    """A run on a terminal of its own."""

    def _start(self, command: list[str]) -> subprocess.Popen:
        self._terminal, inner = pty.openpty()
        os.set_blocking(self._terminal, False)
        environment = {**os.environ, "TERM": "xterm-256color"}
        # setsid(1) makes the terminal the controlling one, so that its end is a SIGHUP.
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
            # Nothing there, or nobody on the other side any more (EIO).
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
        """Disturbs a run; false when there was nothing to disturb."""
        raise NotImplementedError

    def statuses(self, usual: set[int]) -> set[int]:
        raise NotImplementedError


class Kill(Disturbance):
    """What no program can do anything about."""
    name = "kill"

    def happen(self, run: Run) -> bool:
        # A program that has ended by itself meanwhile was not killed.
        run.process.kill()
        return run.process.wait(PATIENCE) == -signal.SIGKILL

    def statuses(self, usual: set[int]) -> set[int]:
        return {-signal.SIGKILL}


class Signals(Disturbance):
    """A wish to end, or two: the second one is to be followed at once."""
    name = "signal"

    def __init__(self, *signals: signal.Signals):
        self._signals = signals

    def happen(self, run: Run) -> bool:
        for number in self._signals:
            run.process.send_signal(number)
        return True

    def statuses(self, usual: set[int]) -> set[int]:
        # One that comes before the program listens ends it as ever; one that comes when all is done
        # changes nothing any more.
        asked = {128 + number for number in self._signals} | {-number for number in self._signals}
        return asked | usual


class ClosedTerminal(Disturbance):
    """The window is closed: a SIGHUP, and output fails from then on."""
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
    """The window is closed, but whoever started the program wants it to go on, as nohup(1) does."""

    def start(self, command: list[str]) -> Run:
        return TerminalRun(["sh", "-c", 'trap "" HUP; exec "$@"', "sh", *command])

    def statuses(self, usual: set[int]) -> set[int]:
        return {1} | usual


class ClosedPipe(Disturbance):
    """Nobody reads on, as with `| head -1`: the program ends quietly, or goes on with its work."""
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
    """Somebody ends decoders, but not the program: nothing is lost by that."""
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
        # At its start, or at work: any of the first forty milliseconds.
        time.sleep(0.002 * (decoder % 20))
        try:
            os.kill(decoder, signal.SIGKILL)
        except ProcessLookupError:
            # The run has ended first, and its decoders with it.
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
