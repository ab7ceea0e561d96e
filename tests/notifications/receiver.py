"""What stands for the maker of a browser: a real server with a certificate of its own, and a browser that decrypts."""

import base64
import json
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import http_ece
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from cryptography.x509.oid import NameOID

__all__ = ["Browser", "Receiver", "receiving"]


class Browser:
    """A browser that has subscribed: its keys, which never leave it, and what it was told."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._secret = b"sixteen bytes ok"

    @property
    def keys(self) -> dict[str, str]:
        """What it gives to the site."""
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"p256dh": _text(point), "auth": _text(self._secret)}

    def read(self, body: bytes) -> Any:
        """What a push says."""
        plain = http_ece.decrypt(
            body, private_key=self._key, auth_secret=self._secret, version="aes128gcm"
        )
        return json.loads(plain)


class Receiver:
    """A server that takes pushes, by address: with a status, a header, or never an answer."""

    def __init__(self, folder: Path) -> None:
        self.taken: list[tuple[str, dict[str, str], bytes]] = []
        self.answers: dict[str, tuple[int, dict[str, str]]] = {}
        self.drips: set[str] = set()
        self.certificate = folder / "receiver.pem"
        _write_certificate(self.certificate)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self._server.daemon_threads = True
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate)
        self._server.socket = context.wrap_socket(
            self._server.socket, server_side=True, do_handshake_on_connect=False
        )
        self.port = self._server.server_address[1]

    def address(self, name: str) -> str:
        """The address of one browser."""
        return f"https://127.0.0.1:{self.port}/{name}"

    def bodies(self, name: str) -> list[bytes]:
        """What was pushed to it."""
        return [body for path, _headers, body in list(self.taken) if path == f"/{name}"]

    def serve(self) -> None:
        """Until `close`."""
        self._server.serve_forever(poll_interval=0.05)

    def close(self) -> None:
        """Take no more."""
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def receiving(folder: Path) -> Iterator[Receiver]:
    """A receiver for the time of a test."""
    receiver = Receiver(folder)
    thread = threading.Thread(target=receiver.serve, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.close()
        thread.join()


def _handler_of(receiver: Receiver) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.taken.append((self.path, dict(self.headers), body))
            name = self.path.strip("/")
            if name in receiver.drips:
                for sign in "HTTP/1.1 201 Created\r\nX-Slow: ":
                    self.wfile.write(sign.encode())
                while True:  # a byte now and then, for ever
                    try:
                        self.wfile.write(b"x")
                        time.sleep(0.2)
                    except OSError:
                        return
            status, headers = receiver.answers.get(name, (201, {}))
            self.send_response(status)
            for key, value in headers.items():
                self.send_header(key, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    return Handler


def _write_certificate(path: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "receiver")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.write_bytes(private + certificate.public_bytes(Encoding.PEM))


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
