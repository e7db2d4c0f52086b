"""PostgreSQL on loopback: a primary, and replicas that stream from it."""
import os
import pathlib
import pwd
import shutil
import subprocess
import sys
import time

from weed import free_port

# A password with characters that addresses must escape. It must not appear in any output.
PASSWORD = "p4ss/w@rd:none?sees"
QUOTED = "p4ss%2Fw%40rd%3Anone%3Fsees"


def programs() -> pathlib.Path:
    """The folder of the newest installed version (postgresql-common installs each in a separate folder)."""
    versions = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: float(path.parts[4]))
    if not versions:
        sys.exit("PostgreSQL is not installed")
    return versions[-1].parent


def own(path: pathlib.Path) -> None:
    """Gives a folder to the user that the server runs as, because it cannot run as root."""
    if os.geteuid() == 0:
        shutil.chown(path, "postgres", "postgres")


def as_owner(*command: str) -> list[str]:
    if os.geteuid() != 0:
        return list(command)
    pwd.getpwnam("postgres")
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--", *command]


class Server:
    """A server in a folder, with additional settings (`name=value`)."""

    def __init__(self, folder: pathlib.Path, *settings: str):
        folder.mkdir(mode=0o755)
        own(folder)
        self.folder, self.port, self.process = folder, free_port(), None
        self._settings = [word for setting in settings for word in ("-c", setting)]

    def make(self) -> None:
        """Makes an empty database cluster that requires a password over TCP."""
        secret = self.folder / "password"
        secret.write_text(PASSWORD)
        own(secret)
        run(as_owner(str(programs() / "initdb"), "-D", str(self.folder / "data"), "-U", "gallery", "-E", "UTF8",
                     "--locale=C.UTF-8", "--auth-local=trust", "--auth-host=scram-sha-256",
                     f"--pwfile={secret}", "-N"))

    def copy(self, primary: "Server") -> None:
        """Makes this server a replica, which streams from the primary once it is started."""
        run(as_owner(str(programs() / "pg_basebackup"), "-D", str(self.folder / "data"), "-R", "-X", "stream",
                     "-c", "fast", "-d", f"host={primary.folder} port={primary.port} user=gallery"))

    def start(self) -> None:
        log = (self.folder / "log").open("ab")
        self.process = subprocess.Popen(
            as_owner(str(programs() / "postgres"), "-D", str(self.folder / "data"), "-c", f"port={self.port}",
                     "-c", "listen_addresses=127.0.0.1", "-c", f"unix_socket_directories={self.folder}",
                     "-c", "max_connections=200", "-c", "wal_level=replica", "-c", "log_statement=none",
                     "-c", "hot_standby=on", "-c", "synchronous_commit=on", "-c", "max_wal_size=2GB",
                     *self._settings),
            stdout=log, stderr=log)
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if subprocess.run(["pg_isready", "-q", "-h", str(self.folder), "-p", str(self.port)]).returncode == 0:
                return
            time.sleep(0.1)
        sys.exit(f"PostgreSQL does not start: {(self.folder / 'log').read_text()[-2000:]}")

    def promote(self) -> None:
        run(as_owner(str(programs() / "pg_ctl"), "-D", str(self.folder / "data"), "-w", "promote"))

    def sql(self, statement: str, database: str = "postgres") -> list[str]:
        done = run(["psql", "-AtX", "-h", str(self.folder), "-p", str(self.port), "-U", "gallery", "-d", database,
                    "-c", statement])
        return done.stdout.splitlines()

    def stop(self, signal: int) -> None:
        if self.process:
            self.process.send_signal(signal)
            self.process.wait(timeout=120)
            self.process = None


def address(*servers: Server) -> str:
    """The address with which a client connects to the primary among the servers."""
    hosts = ",".join(f"127.0.0.1:{server.port}" for server in servers)
    return f"postgresql://gallery:{QUOTED}@{hosts}/postgres?target_session_attrs=read-write"


def run(command: list[str]) -> subprocess.CompletedProcess:
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done
