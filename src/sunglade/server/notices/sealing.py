"""Messages that only one browser can read (RFC 8291), and the word of this server that they are its own (RFC 8292)."""

from __future__ import annotations

import base64
import json
import os
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult

from cryptography.exceptions import InvalidKey
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from sunglade.server.notices.addresses import origin

MOST_TEXT: Final = 3000
"""Bytes of a message; push services take 4096 with all that belongs to it."""
RECORD: Final = 4096
GOOD_S: Final = 12 * 3600
"""So long this server's word is good; push services take at most a day."""

_CURVE: Final = ec.SECP256R1()
_POINT: Final = (serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


@dataclass(frozen=True, slots=True)
class BrowserKeys:
    """What a browser gives away so that others can write to it: a public key and a secret, as they come."""

    p256dh: str
    auth: str

    def are_good(self) -> bool:
        """Whether something can be sealed with them."""
        try:
            self.point()
            return len(unpacked(self.auth)) == 16
        except ValueError:
            return False

    def point(self) -> ec.EllipticCurvePublicKey:
        """The public key."""
        return ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, unpacked(self.p256dh))


def sealed(text: bytes, keys: BrowserKeys) -> bytes:
    """A message as `aes128gcm`, that only the browser with these keys can open."""
    mine, salt = ec.generate_private_key(_CURVE), os.urandom(16)
    theirs = keys.point()
    ours = mine.public_key().public_bytes(*_POINT)
    info = b"WebPush: info\0" + theirs.public_bytes(*_POINT) + ours
    secret = _derived(mine.exchange(ec.ECDH(), theirs), unpacked(keys.auth), info, 32)
    key = _derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    header = salt + RECORD.to_bytes(4) + len(ours).to_bytes(1) + ours
    return header + AESGCM(key).encrypt(nonce, text + b"\x02", None)


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


class ServerKey:
    """The key by which push services know this server."""

    def __init__(self, key: ec.EllipticCurvePrivateKey, contact: str | None) -> None:
        """`contact` is how the operator can be reached, a mailto: or https: address."""
        self._key = key
        self._contact = contact

    @classmethod
    def kept(cls, text: str, contact: str | None) -> ServerKey:
        """The key as it was kept."""
        try:
            return cls(ec.derive_private_key(int.from_bytes(unpacked(text)), _CURVE), contact)
        except (ValueError, InvalidKey):
            raise ValueError("the key for notices in the database is not one") from None

    @property
    def public(self) -> str:
        """What browsers need to know of it."""
        return packed(self._key.public_key().public_bytes(*_POINT))

    def word_for(self, url: SplitResult, now: float) -> str:
        """The header that a push service asks for."""
        claims: dict[str, object] = {"aud": origin(url), "exp": int(now) + GOOD_S}
        if self._contact is not None:
            claims["sub"] = self._contact
        parts = [packed(json.dumps(part, separators=(",", ":")).encode()) for part in (_HEADER, claims)]
        signed = ".".join(parts)
        r, s = utils.decode_dss_signature(self._key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        return f"vapid t={signed}.{packed(r.to_bytes(32) + s.to_bytes(32))}, k={self.public}"


_HEADER: Final = {"typ": "JWT", "alg": "ES256"}


def new_key() -> str:
    """A new key, as it is kept."""
    return packed(ec.generate_private_key(_CURVE).private_numbers().private_value.to_bytes(32))


def packed(content: bytes) -> str:
    """Bytes as Web Push writes them: base64 for addresses, without padding."""
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def unpacked(text: str) -> bytes:
    """The same, back; a ValueError where it is none."""
    if not text.isascii():
        raise ValueError("not base64")
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
