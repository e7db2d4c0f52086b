"""A client of HTTP/2 over TLS that also sends what no proper client sends."""
import contextlib
import socket
import ssl
import struct
import subprocess

import h2.config
import h2.connection
import h2.events
import h2.exceptions

from .common import Run
from .processes import Server

DATA, HEADERS, PRIORITY, RESET, SETTINGS, PUSH, PING, GOAWAY, WINDOW, CONTINUATION = range(10)
END_STREAM, END_HEADERS = 1, 4
Fields = list[tuple[str, str]]


def serve(run: Run, library) -> Server:
    """A server with TLS and a certificate of its own."""
    key, certificate = run.folder / "key.pem", run.folder / "certificate.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate,
                    "-days", "2", "-subj", "/CN=localhost"], check=True, capture_output=True)
    return run.serve(library, "--tls-cert", str(certificate), "--tls-key", str(key))


def connect(server: Server, protocol: str = "h2", seconds: float = 10) -> ssl.SSLSocket:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols([protocol])
    plain = socket.create_connection(("127.0.0.1", server.port), seconds)
    return context.wrap_socket(plain, server_hostname="localhost")


def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def fields(path: str, token: str | None = None, method: str = "GET", authority: str = "127.0.0.1") -> Fields:
    found = [(":method", method), (":path", path), (":scheme", "https"), (":authority", authority)]
    return found + ([("authorization", f"Bearer {token}")] if token else [])


class Connection:
    """A connection whose frames and answers a part controls itself."""

    def __init__(self, server: Server, window: int | None = None):
        self.socket = connect(server)
        settings = h2.config.H2Configuration(validate_outbound_headers=False, normalize_outbound_headers=False,
                                             validate_inbound_headers=False)
        self.state = h2.connection.H2Connection(settings)
        if window is not None:
            self.state.local_settings.initial_window_size = window
        self.state.initiate_connection()
        self.flush()

    def flush(self):
        self.socket.sendall(self.state.data_to_send())

    def ask(self, asked: Fields, ends: bool = True) -> int:
        """Sends the header of a request, and returns the number of its stream."""
        stream = self.state.get_next_available_stream_id()
        self.state.send_headers(stream, asked, end_stream=ends)
        self.flush()
        return stream

    def status(self, stream: int) -> int | None:
        """The status of an answer; None when the stream or the connection has been ended without one."""
        status = None
        with contextlib.suppress(OSError, h2.exceptions.ProtocolError):
            while data := self.socket.recv(1 << 16):
                for event in self.state.receive_data(data):
                    if isinstance(event, h2.events.ResponseReceived) and event.stream_id == stream:
                        status = int(dict(event.headers)[b":status"])
                    if isinstance(event, h2.events.DataReceived):
                        self.state.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                    if isinstance(event, (h2.events.StreamEnded, h2.events.StreamReset)) and event.stream_id == stream:
                        return status
                    if isinstance(event, h2.events.ConnectionTerminated):
                        return status
                self.flush()
        return status

    def close(self):
        self.socket.close()


def status(server: Server, asked: Fields) -> int | None:
    """The status of the answer to one request."""
    connection = Connection(server)
    with contextlib.closing(connection), contextlib.suppress(OSError):
        return connection.status(connection.ask(asked))
    return None
