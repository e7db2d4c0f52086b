"""Servers on loopback: nginx, with and without TLS, and a proxy that delays the bytes that it forwards."""

import asyncio
import contextlib
import multiprocessing
import socket
import subprocess
import sys
import tempfile
import time
import pathlib

from harness import runs

CONFIGURATION = """
daemon off;
master_process off;
pid {work}/pid;
error_log {work}/error.log;
events {{ worker_connections 4096; }}
http {{
  access_log off;
  client_body_temp_path {work}/body;
  proxy_temp_path {work}/proxy;
  fastcgi_temp_path {work}/fastcgi;
  uwsgi_temp_path {work}/uwsgi;
  scgi_temp_path {work}/scgi;
  types {{ application/json json; application/xml xml; image/jpeg jpg; }}
  charset utf-8;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 10000000;
  server {{
    listen 127.0.0.1:{plain};
    listen 127.0.0.1:{secure} ssl http2;
    ssl_certificate {work}/certificate.pem;
    ssl_certificate_key {work}/key.pem;
    root {folder};
  }}
}}
"""


class Site:
    """A folder that is served under two addresses, each ending in a slash."""

    def __init__(self, folder, plain, secure, certificate):
        self.folder = folder
        self.plain_port, self.secure_port = plain, secure
        self.plain = f"http://127.0.0.1:{plain}/"
        self.secure = f"https://127.0.0.1:{secure}/"
        self.certificate = certificate


@contextlib.contextmanager
def site(folder):
    """Serves a folder over HTTP/1.1, and over HTTP/2 with TLS."""
    nginx = runs.on_path("nginx") or sys.exit("cannot serve without nginx")
    with tempfile.TemporaryDirectory(prefix="gallery-site-") as name:
        work = pathlib.Path(name)
        make_certificate(work)
        plain, secure = free_port(), free_port()
        configuration = work / "nginx.conf"
        configuration.write_text(
            CONFIGURATION.format(work=work, plain=plain, secure=secure, folder=folder)
        )
        error_log = work / "error.log"
        process = subprocess.Popen([nginx, "-p", work, "-c", configuration, "-e", error_log])
        runs.served.append(folder)
        try:
            wait_for(plain)
            yield Site(folder, plain, secure, work / "certificate.pem")
        finally:
            runs.served.remove(folder)
            process.terminate()
            process.wait()


def make_certificate(folder):
    subprocess.run(
        [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
            "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext",
            "subjectAltName=IP:127.0.0.1", "-keyout", folder / "key.pem",
            "-out", folder / "certificate.pem",
        ],
        check=True,
        stderr=subprocess.DEVNULL,
    )


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_for(port):
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    sys.exit(f"nothing answers on port {port}")


class Proxy:
    """A port that forwards to another one."""

    def __init__(self, port, answered):
        self.port, self._answered = port, answered

    @property
    def bytes(self):
        """The number of response bytes so far."""
        return self._answered.value


@contextlib.contextmanager
def delayed(port, seconds, hosts=1):
    """A port that forwards to another one, with half of `seconds` added each way.

    It is open at `hosts` addresses, from 127.0.0.1 on.
    """
    with proxy(port, seconds, hosts) as own:
        yield own.port


@contextlib.contextmanager
def proxy(port, seconds=0, hosts=1):
    """Does the same as `delayed`, and counts the bytes of responses."""
    own = free_port()
    addresses = [f"127.0.0.{number}" for number in range(1, hosts + 1)]
    answered = multiprocessing.Value("q", 0)
    process = multiprocessing.Process(
        target=serve_delayed, args=(addresses, own, port, seconds / 2, answered)
    )
    process.start()
    try:
        wait_for(own)
        yield Proxy(own, answered)
    finally:
        process.terminate()
        process.join()


def serve_delayed(addresses, own, port, delay, answered):
    async def connected(reader, writer):
        # A connection takes a round trip, too.
        await asyncio.sleep(2 * delay)
        try:
            onward = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            writer.close()
            return
        # A client that has what it needs may close the connection early.
        with contextlib.suppress(ConnectionError):
            await asyncio.gather(pass_on(reader, onward[1]), pass_on(onward[0], writer, answered))

    async def pass_on(reader, writer, counter=None):
        """Forwards each piece after the delay; pieces do not wait for each other."""
        loop = asyncio.get_running_loop()
        while piece := await reader.read(1 << 16):
            if counter:
                counter.value += len(piece)
            loop.call_later(delay, write, writer, piece)
        loop.call_later(delay, writer.close)

    def write(writer, piece):
        if not writer.is_closing():
            writer.write(piece)

    async def serve():
        server = await asyncio.start_server(connected, addresses, own, backlog=512)
        await server.serve_forever()

    asyncio.run(serve())
