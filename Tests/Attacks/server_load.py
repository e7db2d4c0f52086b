"""A thousand clients that behave, beside one that attacks."""
import asyncio
import contextlib
import json
import multiprocessing
import socket
import time
from collections.abc import Callable
from multiprocessing.synchronize import Event

from .common import Run, part
from .processes import Server

CLIENTS = 1_000
STREAMS = 200


class Reader:
    """A client that keeps its connection, and asks for one thing after another."""

    def __init__(self, server: Server, token: str, paths: list[str]):
        self._port, self._token, self._paths = server.port, token, paths
        self.statuses: set[int] = set()

    async def connect(self):
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)

    async def read(self, count: int):
        """Sends a number of requests in turn."""
        for number in range(count):
            path = self._paths[number % len(self._paths)]
            self._writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                               f"Authorization: Bearer {self._token}\r\n\r\n".encode())
            head = await self._reader.readuntil(b"\r\n\r\n")
            self.statuses.add(int(head[9:12]))
            length = next(int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
            await self._reader.readexactly(length)

    async def follow(self):
        """Opens an event stream."""
        self._writer.write(f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                           f"Authorization: Bearer {self._token}\r\n\r\n".encode())
        head = await self._reader.readuntil(b"\r\n\r\n")
        self.statuses.add(int(head[9:12]))

    async def close(self):
        self._writer.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()


async def crowd(server: Server, tokens: list[str], paths: list[str], requests: int) -> tuple[float, set[int]]:
    """Lets all clients read; returns the seconds that they took together, and their statuses."""
    readers = [Reader(server, tokens[number % len(tokens)], paths) for number in range(CLIENTS)]
    for first in range(0, CLIENTS, 100):
        await asyncio.gather(*(reader.connect() for reader in readers[first:first + 100]))
    await asyncio.gather(*(reader.follow() for reader in readers[:STREAMS]))
    begin = time.monotonic()
    await asyncio.gather(*(reader.read(requests) for reader in readers[STREAMS:]))
    seconds = time.monotonic() - begin
    await asyncio.gather(*(reader.close() for reader in readers))
    return seconds, {status for reader in readers for status in reader.statuses}


# The attacks. Each runs until its event is set.
Attack = Callable[[Server, str, list[str], Event], None]


def connect(server: Server) -> socket.socket:
    """A connection from another address than that of the clients that behave."""
    return socket.create_connection(("127.0.0.1", server.port), 10, source_address=("127.0.0.2", 0))


def http(path: str, token: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n\r\n".encode()


def pipeline(server: Server, token: str, _, has_ended: Event):
    """Asks for long lists again and again on one connection."""
    while not has_ended.is_set():
        with contextlib.suppress(OSError), connect(server) as connection:
            connection.sendall(http("/api/v1/images?limit=1000&q=picture", token) * 100)
            connection.settimeout(1)
            while not has_ended.is_set() and connection.recv(1 << 16):
                pass


def flood(server: Server, token: str, _, has_ended: Event):
    """Sends requests on 100 connections as fast as the server takes them."""
    data = http("/api/v1/images?limit=1000", token) * 100
    connections = [connect(server) for _ in range(100)]
    while not has_ended.is_set():
        for connection in connections:
            connection.setblocking(False)
            with contextlib.suppress(OSError):
                connection.send(data)
            with contextlib.suppress(OSError):
                connection.recv(1 << 20)
        time.sleep(0.01)


def unread(server: Server, token: str, _, has_ended: Event):
    """Asks for long lists on 500 connections, and reads nothing."""
    connections = [connect(server) for _ in range(500)]
    for connection in connections:
        connection.setblocking(False)
        with contextlib.suppress(OSError):
            connection.send(http("/api/v1/images?limit=1000", token) * 200)
    has_ended.wait()


def strangers(server: Server, _, __, has_ended: Event):
    """Connects again and again without a token, and sends wrong tokens and half headers."""
    connections = []
    while not has_ended.is_set():
        with contextlib.suppress(OSError):
            connections.append(connect(server))
            connections[-1].setblocking(False)
            connections[-1].send(http("/", "x" * 43) + b"GET / HTTP/1.1\r\nX: ")
        if len(connections) > 2_000:
            connections.pop(0).close()
        time.sleep(0.001)


def renderings(server: Server, token: str, hashes: list[str], has_ended: Event):
    """Asks for renderings, and leaves."""
    number = 0
    while not has_ended.is_set():
        number += 1
        with contextlib.suppress(OSError), connect(server) as connection:
            connection.sendall(http(f"/iiif/image/{hashes[0]}/0,0,{1 + number % 40},9/max/0/default.png", token))
            if number % 3:
                connection.recv(1_024)


@part(long=True, seconds=900, long_seconds=900)
def crowds(run: Run):
    """A thousand clients that behave take at most twice as long beside any one client that attacks."""
    server = run.serve(run.library(run.site().address + "/feed/a/300", originals=True))
    tokens = [server.token(f"reader{number}") for number in range(20)]
    attacker = server.token("attacker")
    image = json.loads(server.ask("/api/v1/images/1").body)
    listed = json.loads(server.ask("/api/v1/images?limit=20").body)["images"]
    paths = ["/api/v1/images?limit=20", *[f"/t/{each['thumbnail']['sha256']}" for each in listed[:9]]]
    requests = run.number(20, 60)
    attacks: list[Attack] = [pipeline, flood, unread, strangers, renderings]
    alone = min(asyncio.run(crowd(server, tokens, paths, requests))[0] for _ in range(3))
    run.note(f"alone {alone:.1f} s")
    for attack in attacks:
        # A process of its own, so that the clients need not share an interpreter with it.
        forked = multiprocessing.get_context("fork")
        has_ended = forked.Event()
        process = forked.Process(target=attack, args=[server, attacker, [image["original"]["sha256"]], has_ended])
        process.start()
        try:
            time.sleep(1)
            seconds, statuses = asyncio.run(crowd(server, tokens, paths, requests))
        finally:
            has_ended.set()
            process.join()
        run.note(f"beside {attack.__name__} {seconds:.1f} s")
        run.equal(statuses, {200}, f"statuses beside {attack.__name__}")
        run.check(seconds <= 2 * alone, f"beside {attack.__name__}: {seconds:.1f} s instead of {alone:.1f} s")
    # A thousand connections that are served at once, and the attack.
    run.bounded(server, memory=300, processor=600)
