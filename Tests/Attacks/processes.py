"""The programs under attack: their memory, their processor time, and the locks that they hold."""
import contextlib
import dataclasses
import http.client
import os
import pathlib
import select
import signal
import socket
import sqlite3
import subprocess
import tempfile
import threading
import time
import urllib.parse

# The ticks of a second in /proc/PID/stat.
TICKS = os.sysconf("SC_CLK_TCK")
PROXIES = {f"{name}_proxy" for name in ("http", "https", "all", "no")}


def environment(library: pathlib.Path | str, **variables: str) -> dict[str, str]:
    """Variables without the settings and proxies of the user who runs this."""
    kept = {name: value for name, value in os.environ.items()
            if name.lower() not in PROXIES and not name.startswith("GALLERY_")}
    return kept | {"GALLERY_CACHE": str(library), "GALLERY_CONFIG": "/dev/null", "NO_COLOR": "1"} | variables


def peak(pid: int) -> float:
    """The most memory that a process has had (VmHWM), in MB; 0 when it has ended."""
    with contextlib.suppress(OSError):
        for line in open(f"/proc/{pid}/status"):
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    return 0


def children(pid: int) -> list[int]:
    """The processes that a process has started and that run."""
    found = []
    for path in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += [int(child) for child in path.read_text().split()]
    return found


class Command:
    """A command that has run to its end, or was ended after its time."""

    def __init__(self, words: list[str], variables: dict[str, str], seconds: float):
        self.memory, self.is_late = 0.0, False
        begin = time.monotonic()
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(words, env=variables, stdin=subprocess.DEVNULL, stdout=output, stderr=errors,
                                       start_new_session=True)
            try:
                self._wait(process, begin + seconds)
            finally:
                if process.returncode is None:
                    os.killpg(process.pid, signal.SIGKILL)
                    self._reap(process, 0)
            self.seconds = time.monotonic() - begin
            output.seek(0)
            errors.seek(0)
            self.out = output.read().decode(errors="replace")
            self.errors = errors.read().decode(errors="replace")
        self.status = process.returncode

    @property
    def output(self) -> str:
        return self.out + self.errors

    def _wait(self, process: subprocess.Popen, end: float):
        """Looks at the memory until the command ends; decoders count only for themselves."""
        while not self._reap(process, os.WNOHANG):
            self.memory = max(self.memory, peak(process.pid))
            if time.monotonic() > end:
                self.is_late = True
                return
            time.sleep(0.01)

    def _reap(self, process: subprocess.Popen, options: int) -> bool:
        pid, status, used = os.wait4(process.pid, options)
        if pid == 0:
            return False
        process.returncode = os.waitstatus_to_exitcode(status)
        self.processor = used.ru_utime + used.ru_stime
        return True


@dataclasses.dataclass
class Answer:
    status: int
    fields: dict[str, str]
    body: bytes


class Server:
    """`gallery serve` on a port of loopback."""

    def __init__(self, program: list[str], library: pathlib.Path | str, folder: pathlib.Path, arguments: tuple[str, ...],
                 variables: dict[str, str]):
        self.library, self._program, self._variables = library, program[-1], variables
        # Whether a part has ended it.
        self.is_stopped = False
        self._log = tempfile.NamedTemporaryFile(dir=folder, prefix="server-", suffix=".log", delete=False)
        words = [*program, "serve", "--listen", "127.0.0.1:0", *arguments]
        if "--sync" not in arguments:
            words += ["--sync", "off"]
        self._process = subprocess.Popen(words, env=environment(library, **variables), stdin=subprocess.DEVNULL,
                                         stdout=subprocess.PIPE, stderr=self._log, text=True)
        ready, _, _ = select.select([self._process.stdout], [], [], 300)
        line = self._process.stdout.readline().strip() if ready else ""
        if "token=" not in line:
            self._process.kill()
            raise RuntimeError(f"the server does not start: {line} {self.log()}")
        address = urllib.parse.urlsplit(line)
        self.port = address.port
        self.admin = urllib.parse.parse_qs(address.query)["token"][0]

    # Its state

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    @property
    def memory(self) -> float:
        """The most memory that it has had, in MB, without its decoders."""
        return peak(self.pid)

    @property
    def memory_now(self) -> float:
        """The memory that it has now, in MB."""
        with contextlib.suppress(OSError):
            for line in open(f"/proc/{self.pid}/status"):
                if line.startswith("VmRSS:"):
                    return int(line.split()[1]) / 1024
        return 0

    @property
    def processor(self) -> float:
        """The seconds of a core that it has used, without its decoders."""
        with contextlib.suppress(OSError):
            fields = open(f"/proc/{self.pid}/stat").read().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / TICKS
        return 0

    def log(self) -> str:
        """What it has written to standard error."""
        return pathlib.Path(self._log.name).read_text(errors="replace")

    def stop(self, seconds: float = 120) -> bool:
        """Ends it; false when that takes too long."""
        self.is_stopped = True
        self._process.terminate()
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            return False
        finally:
            self._process.stdout.close()
            self._log.close()
        return True

    # Requests

    def token(self, name: str, *options: str) -> str:
        """Makes a token."""
        return subprocess.run([self._program, "token", "add", name, *options],
                              env=environment(self.library, **self._variables), check=True, capture_output=True,
                              text=True).stdout.strip()

    def connect(self, seconds: float = 10) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), seconds)

    def ask(self, path: str, method: str = "GET", token: str | None = "admin", body: bytes | None = None,
            seconds: float = 300, **fields: str) -> Answer:
        """Sends a request; an underscore in the name of a field stands for a hyphen."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        with contextlib.closing(connection):
            named = {name.replace("_", "-"): value for name, value in fields.items()}
            if token is not None:
                named.setdefault("Authorization", f"Bearer {self.admin if token == 'admin' else token}")
            connection.request(method, path, body=body, headers=named)
            answer = connection.getresponse()
            return Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())

    def raw(self, data: bytes, seconds: float = 5) -> bytes:
        """Sends bytes, and returns all that comes until the server closes the connection or stays silent."""
        received = b""
        with self.connect(seconds) as connection, contextlib.suppress(OSError):
            connection.sendall(data)
            while piece := connection.recv(1 << 16):
                received += piece
        return received

    def statuses(self, data: bytes, seconds: float = 5) -> list[int]:
        """The statuses of all answers to raw requests."""
        answers = self.raw(data, seconds).split(b"HTTP/1.")[1:]
        return [int(answer[2:5]) for answer in answers if answer[2:5].isdigit()]


class LockWatch(threading.Thread):
    """Tries again and again to write to a database, and notes the longest time for which it could not.

    A database that does not exist yet is tried once its first tables are there."""

    def __init__(self, database: pathlib.Path):
        super().__init__(daemon=True)
        self._database = database
        self._has_ended = threading.Event()
        self.longest = 0.0
        self.start()

    def run(self):
        begin = None
        while not self._has_ended.wait(0.001):
            if self._can_write():
                begin = None
            else:
                now = time.monotonic()
                begin = begin or now
                self.longest = max(self.longest, now - begin)

    def _can_write(self) -> bool:
        if not self._has_log():
            return True
        try:
            address = f"{self._database.absolute().as_uri()}?mode=rw"
            with contextlib.closing(sqlite3.connect(address, timeout=0, isolation_level=None, uri=True)) as database:
                database.execute("BEGIN IMMEDIATE")
                database.execute("ROLLBACK")
            return True
        except sqlite3.OperationalError as error:
            return "locked" not in str(error)

    def _has_log(self) -> bool:
        """Whether the database has its write-ahead log, so that this client delays no other (SQLite file format,
        section 1.3)."""
        with contextlib.suppress(OSError):
            with open(self._database, "rb") as file:
                return file.read(20)[18:19] == b"\2"
        return False

    def close(self):
        self._has_ended.set()
        self.join()
