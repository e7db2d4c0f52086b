"""`browse` and `frame` in a terminal: keys, sizes, signals, and the texts of a hostile feed."""
import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time

import programs

from .common import Run, part
from .processes import environment
from .sites import Request, photographs

EVIL = "\u009b31m\u202e\u2066\u200b\ufeff\U000e0041\u0085\u0090q\u009c" + "e\u0301" * 3
# What must never come out as it came in.
RAW = [text.encode() for text in ("\u009b", "\u0090", "\u202e", "\u2066")]
KEYS = [b"j", b"k", b"\x1b[A", b"\x1b[B", b"\x1b[5~", b"\x1b[6~", b"\r", b"\x1b", b"i", b"w", b"?", b"f", b"/", b"abc",
        b"\x7f", b"p", b"\x0c", b"\x1b[M !!", b"\x1b[<0;99999;99999M", b"\x1b[200~" + b"paste" * 50 + b"\x1b[201~",
        b"\xff\xfe", b"\x1b[999999999999999999999A", b"\x1b]52;c;aaaa\x07", b"\0", b"\x1bO", b"\t", b"G",
        b"\x1b[" + b"1;" * 300 + b"m"]
# The answers of terminals to the question which features they have (DA1): with and without sixels.
WITH_GRAPHICS, WITHOUT_GRAPHICS = b"\x1b[?62;4;22c", b"\x1b[?62;22c"
MODES = [1000, 1002, 1003, 1004, 1006, 1049, 2004, 2026, 2048]


class Terminal:
    """A program in a pseudo-terminal."""

    def __init__(self, run: Run, library, *arguments: str, rows: int = 24, columns: int = 80,
                 kind: str = "xterm-256color", features: bytes = WITH_GRAPHICS):
        self.run, self.output, self._features = run, b"", features
        self.master, self._slave = pty.openpty()
        self.resize(rows, columns)
        self._before = termios.tcgetattr(self._slave)
        variables = environment(library, TERM=kind)
        del variables["NO_COLOR"]
        self.process = subprocess.Popen([programs.path("gallery"), *arguments], env=variables, stdin=self._slave,
                                        stdout=self._slave, stderr=self._slave, start_new_session=True,
                                        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))

    def resize(self, rows: int, columns: int):
        size = struct.pack("HHHH", rows, columns, min(65_535, columns * 8), min(65_535, rows * 16))
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, size)

    def write(self, data: bytes):
        with contextlib.suppress(OSError):
            os.write(self.master, data)
        self.read(0.02)

    def read(self, seconds: float):
        """Reads what the program draws, and answers its questions like a terminal."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and select.select([self.master], [], [], left)[0]:
            try:
                data = os.read(self.master, 1 << 16)
            except OSError:
                return
            self.output += data
            if b"\x1b[c" in data:
                os.write(self.master, self._features)
            if b"\x1b[6n" in data:
                os.write(self.master, b"\x1b[1;1R")

    def wait_for(self, text: bytes, seconds: float = 20):
        end = time.monotonic() + seconds
        while text not in self.output and self.process.poll() is None and time.monotonic() < end:
            self.read(0.1)

    def finish(self, what: str, seconds: float = 20):
        """Waits for the end, and checks that the terminal is as it was."""
        end = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < end:
            self.read(0.1)
        if self.process.poll() is None:
            self.run.check(False, f"{what}: has not ended")
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.read(0.1)
        self.run.check(termios.tcgetattr(self._slave) == self._before, f"{what}: the terminal stays in raw mode")
        for mode in MODES:
            on, off = (self.output.rfind(b"\x1b[?%d%s" % (mode, end)) for end in (b"h", b"l"))
            self.run.check(on <= off, f"{what}: mode {mode} stays on")
        hidden, shown = self.output.rfind(b"\x1b[?25l"), self.output.rfind(b"\x1b[?25h")
        self.run.check(hidden <= shown, f"{what}: the cursor stays hidden")
        self.run.check(not any(text in self.output for text in RAW), f"{what}: a control of a feed is drawn")
        os.close(self.master)
        os.close(self._slave)


def hostile(request: Request):
    """A feed whose texts try to control the terminal."""
    if request.words[0] != "feed":
        return photographs(request)
    items = "".join(f"<item><guid>{n}</guid><title>{n} {EVIL}</title><description>{EVIL * 20}</description>"
                    f'<enclosure type="image/png" length="1" url="{request.site.address}/original/{n}.png"/></item>'
                    for n in range(60))
    request.send(f'<rss version="2.0"><channel><title>F {EVIL}</title>{items}</channel></rss>',
                 kind="application/rss+xml")


@part(long=True, seconds=300)
def keys(run: Run):
    """Whatever is typed, resized or sent as a signal, the terminal is restored."""
    library = run.library(run.site(hostile).address + "/feed")
    commands = [["browse"], ["browse", "--pictures", "never"], ["frame", "--seconds", "2"], ["browse", "--offline"]]
    signals = [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2,
               signal.SIGALRM, signal.SIGABRT, None]
    for command in commands:
        for number in signals:
            what = f"{' '.join(command)}, {number.name if number else 'q'}"
            terminal = Terminal(run, library, *command)
            terminal.wait_for(b"\x1b[?1049h")
            for _ in range(25):
                if run.chance.random() < 0.2:
                    size = run.chance.choice([(1, 1), (2, 1_000), (200, 2), (5, 5), (24, 80), (200, 300)])
                    terminal.resize(*size)
                terminal.write(run.chance.choice(KEYS))
            if number:
                terminal.process.send_signal(number)
            else:
                for key in (b"\x1b", b"\x1b", b"q", b"q"):
                    terminal.write(key)
                    terminal.read(0.3)
                terminal.write(b"\x03")
            terminal.finish(what)


@part(long=True, seconds=600)
def sizes(run: Run):
    """A terminal of any size, or of another kind, needs little memory."""
    library = run.library(run.site(hostile).address + "/feed")
    for rows, columns, kind in ((0, 0, "xterm"), (1, 1, "xterm"), (65_535, 65_535, "xterm-256color"),
                                (1, 65_535, "xterm"), (65_535, 1, "xterm"), (24, 80, "dumb"), (24, 80, ""),
                                (24, 80, "vt100")):
        for command in (["browse"], ["frame", "--seconds", "2"], ["list"], ["show", "1", "--offline"]):
            what = f"{' '.join(command)} in {rows} x {columns} of '{kind}'"
            terminal = Terminal(run, library, *command, rows=rows, columns=columns, kind=kind,
                                features=WITHOUT_GRAPHICS)
            terminal.read(1)
            most = max((int(line.split()[1]) for line in open(f"/proc/{terminal.process.pid}/status")
                        if line.startswith("VmHWM")), default=0)
            for key in (b"j", b"\r", b"\x1b", b"q", b"q", b"\x03"):
                terminal.write(key)
            # The largest one has half a million cells.
            terminal.finish(what, seconds=120)
            run.check(most < 250 << 10, f"{what}: {most >> 10} MB")
            run.check(terminal.process.returncode >= -2, f"{what}: ended by signal {-terminal.process.returncode}")
