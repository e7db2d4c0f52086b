"""Sockets that systemd opens: by systemd-socket-activate(1), and kept by a manager that restarts a killed server."""
import contextlib
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess

from weed import free_port

import programs

from .gallery import Feed, Gallery, ask, check, need, wait

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
NOISE = 4_000_000


def activated(folder: pathlib.Path) -> str:
    """The first request starts the server of the packaged units; a killed server is replaced, and downloads resume."""
    need("systemd-socket-activate")
    library = Gallery(str(folder / "library"), folder / "home")
    feed = Feed(folder)
    feed.write({number: f"Title {number}" for number in range(3)}, NOISE)
    library.run("sync", feed.path, "--originals", "--quiet")
    first_request(library)
    killed(library)
    units()
    return ""


def setting(unit: str, name: str) -> str:
    text = (CHECKOUT / "Packaging/systemd" / unit).read_text()
    return re.search(f"^{name}=(.*)$", text, re.M).group(1)


def command() -> list[str]:
    """The command of the service, with the programs under test."""
    words = setting("gallery.service", "ExecStart").split()
    return [programs.path("gallery"), *words[1:]]


def first_request(library: Gallery) -> None:
    host, _, _ = setting("gallery.socket", "ListenStream").rpartition(":")
    port = free_port()
    activator = subprocess.Popen(
        ["systemd-socket-activate", "-l", f"{host or '127.0.0.1'}:{port}",
         *(f"--setenv={name}={value}" for name, value in library.variables.items()), *command()],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        wait("the activator", lambda: "127.0.0.1" in host and is_listening(port))
        status, _, body = ask(port, "/healthz")
        check(status == 200, f"the first request: {status} {body}")
        check(ask(port, "/api/v1/feeds")[0] == 401, "without a token")
        token = (pathlib.Path(library.address) / "server-token").read_text().strip()
        check(ask(port, "/api/v1/feeds", token=token)[0] == 200, "with the token")
        # The activator has become the server, which listens on nothing else.
        check(activator.poll() is None and ports(activator.pid) == {port}, f"ports: {ports(activator.pid)}")
    finally:
        activator.terminate()
        activator.communicate(timeout=60)


def is_listening(port: int) -> bool:
    """Whether a port has a listener; a connection would start the server."""
    return any(int(row[1].rpartition(":")[2], 16) == port and row[3] == "0A" for row in rows())


def rows() -> list[list[str]]:
    return [line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]


def ports(process: int) -> set[int]:
    """The TCP ports on which a process and its children listen."""
    children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True).stdout.split()
    inodes = set()
    for pid in [process, *map(int, children)]:
        with contextlib.suppress(OSError):
            for name in os.listdir(f"/proc/{pid}/fd"):
                with contextlib.suppress(OSError):
                    inodes.add(os.readlink(f"/proc/{pid}/fd/{name}"))
    return {int(row[1].rpartition(":")[2], 16) for row in rows() if row[3] == "0A" and f"socket:[{row[9]}]" in inodes}


class Manager:
    """Keeps a socket, and starts the server with it, as sd_listen_fds(3) describes."""

    def __init__(self, library: Gallery):
        self._library = library
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self._notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._notices.bind(str(library.home / "notify"))
        self._notices.settimeout(60)
        self.process: subprocess.Popen | None = None

    def start(self) -> None:
        script = 'exec 3<&"$1"; shift; export LISTEN_FDS=1 LISTEN_PID=$$; exec "$@"'
        number = self._socket.fileno()
        self.process = subprocess.Popen(
            ["bash", "-c", script, "bash", str(number), *command()], pass_fds=[number],
            env=self._library.variables | {"NOTIFY_SOCKET": str(self._library.home / "notify")},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while b"READY=1" not in (notice := self._notices.recv(4_096)):
            check(notice, "no notice")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(timeout=60)
        self._socket.close()
        self._notices.close()


def killed(library: Gallery) -> None:
    manager = Manager(library)
    try:
        manager.start()
        token = (pathlib.Path(library.address) / "server-token").read_text().strip()
        files = [path for path in (pathlib.Path(library.address) / "originals").rglob("*") if path.is_file()]
        whole, path = files[0].read_bytes(), f"/o/{files[0].stem}"
        with socket.socket() as download:
            download.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16_384)
            download.settimeout(30)
            download.connect(("127.0.0.1", manager.port))
            download.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
            data = b""
            while len(data) < 100_000:
                data += download.recv(16_384)
            manager.kill()
            with contextlib.suppress(OSError):
                while more := download.recv(65_536):
                    data += more
        head, _, body = data.partition(b"\r\n\r\n")
        tag = re.search(rb"(?i)^etag: (.*?)\r?$", head, re.M)
        check(tag and len(body) < len(whole) and whole.startswith(body), f"the first part: {head} {len(body)}")
        # A request that arrives while no server runs waits in the socket.
        waiting = socket.create_connection(("127.0.0.1", manager.port), timeout=60)
        waiting.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        manager.start()
        with waiting:
            check(b" 200 " in waiting.recv(4_096), "the request that waited")
        status, fields, rest = ask(manager.port, path, token=token, Range=f"bytes={len(body)}-",
                                   If_Range=tag.group(1).decode())
        check(status == 206 and body + rest == whole, f"the rest: {status}, {len(rest)} bytes")
    finally:
        manager.stop()
    library.run("verify")


def units() -> None:
    """systemd understands the units; Scripts/packages runs them with a manager."""
    if not shutil.which("systemd-analyze"):
        return
    for unit in ("gallery.service", "gallery-sync.service"):
        done = subprocess.run(["systemd-analyze", "security", "--offline=true", "--no-pager", "--threshold=25",
                               str(CHECKOUT / "Packaging/systemd" / unit)], capture_output=True, text=True)
        check(done.returncode == 0, f"{unit}: {done.stdout[-300:]}{done.stderr}")
