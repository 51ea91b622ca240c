"""A push service and a webhook receiver on this machine, which open what comes (RFC 8291) and check it (RFC 8292)."""

from __future__ import annotations

import base64
import json
import socket
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

RAW = (serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def packed(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def unpacked(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


class Browser:
    """The keys of a browser, by which it opens what is sent to it."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = b"0123456789abcdef"

    @property
    def public(self) -> bytes:
        return self._key.public_key().public_bytes(*RAW)

    def wish(self, **more: Any) -> dict[str, Any]:
        """What its page asks of the server."""
        return {"endpoint": self.endpoint, "p256dh": packed(self.public), "auth": packed(self._auth), **more}

    def opened(self, body: bytes) -> dict[str, Any]:
        """RFC 8291, section 3.4, and RFC 8188."""
        salt, size, length = body[:16], int.from_bytes(body[16:20]), body[20]
        theirs, sealed = body[21 : 21 + length], body[21 + length :]
        assert len(body) <= 4096 and size >= len(sealed) and length == 65
        shared = self._key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs))
        secret = derived(shared, self._auth, b"WebPush: info\0" + self.public + theirs, 32)
        key = derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derived(secret, salt, b"Content-Encoding: nonce\0", 12)
        plain = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0")
        assert plain.endswith(b"\x02")
        return dict(json.loads(plain[:-1]))


def check_word(header: str, audience: str, server_key: str, now: float | None = None) -> dict[str, Any]:
    """RFC 8292: who sends it, signed by the key that the browser was given; the claims."""
    kind, _, rest = header.partition(" ")
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert kind == "vapid" and parts["k"] == server_key
    signed, _, signature = parts["t"].rpartition(".")
    raw = unpacked(signature)
    der = utils.encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unpacked(parts["k"]))
    public.verify(der, signed.encode(), ec.ECDSA(hashes.SHA256()))
    head, claims = (json.loads(unpacked(part)) for part in signed.split("."))
    assert head == {"typ": "JWT", "alg": "ES256"}
    assert claims["aud"] == audience
    now = time.time() if now is None else now
    assert now < claims["exp"] <= now + 24 * 3600
    assert claims["sub"].startswith(("mailto:", "https://"))
    return dict(claims)


@dataclass
class Arrived:
    """A request that came."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Receiver:
    """Takes requests, and answers as it is told: a status for each path, 201 where nothing else is said."""

    statuses: dict[str, int] = field(default_factory=dict)
    more: dict[str, dict[str, str]] = field(default_factory=dict)
    hanging: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.arrived: list[Arrived] = []
        self._news = threading.Condition()
        self._free = threading.Event()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                receiver._take(Arrived(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                if self.path in receiver.hanging:
                    receiver._free.wait()
                self.send_response(receiver.statuses.get(self.path, 201))
                for name, value in receiver.more.get(self.path, {}).items():
                    self.send_header(name, value)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Nobody reads it."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def _take(self, arrived: Arrived) -> None:
        with self._news:
            self.arrived.append(arrived)
            self._news.notify_all()

    def at(self, path: str) -> list[Arrived]:
        return [each for each in self.arrived if each.path == path]

    def wait_for(self, path: str, count: int = 1) -> list[Arrived]:
        """Until so many have come."""
        with self._news:
            assert self._news.wait_for(lambda: len(self.at(path)) >= count, timeout=300), self.arrived
            return self.at(path)

    def close(self) -> None:
        self._free.set()
        self._server.shutdown()
        self._server.server_close()


def free_port() -> int:
    """A port where nobody listens."""
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])
