"""A terminal for full-screen programs: it sends keys, and times and counts the output."""

import fcntl
import os
import pty
import select
import struct
import termios
import time

COLUMNS, ROWS, CELL = 80, 24, (10, 20)
# The queries of programs, and the answers of a terminal that draws sixel (ECMA-48, and ctlseqs of xterm).
ANSWERS = [
    (b"\x1b]11;?", b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\"), (b"\x1b[16t", b"\x1b[6;20;10t"),
    (b"\x1b[14t", b"\x1b[4;480;800t"), (b"\x1b[?2;4;0S", b"\x1b[?2;0;800;480S"), (b"\x1b[c", b"\x1b[?62;4c"),
]
# A silence of so many seconds ends a screen.
SILENCE = 0.2


class Terminal:
    """Runs a program on a separate terminal, and reads at most `bandwidth` bytes of its output a second."""

    def __init__(self, command, bandwidth=None):
        self.bandwidth, self.received = bandwidth, 0
        self.began = time.monotonic()
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            os.environ["TERM"] = "xterm-256color"
            os.execv(str(command[0]), [str(word) for word in command])
        size = struct.pack("HHHH", ROWS, COLUMNS, COLUMNS * CELL[0], ROWS * CELL[1])
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, size)

    def read(self, seconds):
        """Reads output and answers queries; returns no bytes at the end of the program, or after so many seconds."""
        if not select.select([self.descriptor], [], [], seconds)[0]:
            return b""
        try:
            data = os.read(self.descriptor, 65_536)
        except OSError:
            return b""
        self.received += len(data)
        if self.bandwidth:
            time.sleep(len(data) / self.bandwidth)
        for question, answer in ANSWERS:
            if question in data:
                os.write(self.descriptor, answer)
        return data

    def wait_for_silence(self):
        """The seconds from the start of the program to its last output before a silence."""
        last = time.monotonic()
        while self.read(SILENCE):
            last = time.monotonic()
        return last - self.began

    def press(self, key):
        """Presses a key; returns the seconds until the next output."""
        while self.read(0):
            pass
        began = time.monotonic()
        os.write(self.descriptor, key)
        self.read(10)
        return time.monotonic() - began

    def peak(self):
        """The most memory that the program has taken, in bytes (proc(5))."""
        with open(f"/proc/{self.process}/status") as status:
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))

    def end(self):
        """Reads to the program's end; returns the seconds since its start."""
        while self.read(10):
            pass
        _, status = os.waitpid(self.process, 0)
        os.close(self.descriptor)
        assert status == 0, f"it ended with {status}"
        return time.monotonic() - self.began
