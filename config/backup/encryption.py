"""Backups that the machine which writes them cannot read: sealed for whoever has the private key.

A file begins with a line that says what it is and a public key made for it alone. What that key and the owner's agree
on (X25519) is the key of the file (HKDF with SHA-256); the rest is pieces of a megabyte, each sealed by
ChaCha20-Poly1305 under its number and whether it is the last one. So no piece can be changed, swapped, or left out,
the last included.
"""

import base64
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from config.backup.manifest import BadBackupError
from config.settings.environment import KEY_PREFIX

__all__ = ["SEALED", "is_sealed", "make_key_file", "public_key_of", "seal", "unseal"]

SEALED = ".sealed"  # what the name of a sealed file ends with
_PRIVATE_PREFIX = "evenmatch-private-"
_FIRST_LINE = b"evenmatch sealed backup 1\n"
_PIECE = 1 << 20
_TAG = 16
_KEY = 32


def make_key_file(path: Path) -> str:
    """Make a private key, for its owner alone to read, and give the public one. Raises FileExistsError."""
    key = X25519PrivateKey.generate()
    text = base64.b64encode(key.private_bytes_raw()).decode()
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(
            "# Opens the backups of an Evenmatch site. Keep it away from that site, and do not lose it.\n"
            f"{_PRIVATE_PREFIX}{text}\n"
        )
        file.flush()
        os.fsync(file.fileno())
    return _public_text(key)


def public_key_of(path: Path) -> str:
    """The public key that belongs to a key file. Raises BadBackupError, OSError."""
    return _public_text(_read_key(path))


def is_sealed(path: Path) -> bool:
    """Whether it takes a key to read this backup."""
    with path.open("rb") as file:
        return file.read(len(_FIRST_LINE)) == _FIRST_LINE


def seal(plain: Path, into: Path, public: str) -> None:
    """Seal a file for the owner of a public key, and read it back. Raises BadBackupError where it is not whole."""
    owner = base64.b64decode(public.removeprefix(KEY_PREFIX))
    of_file = X25519PrivateKey.generate()
    shown = of_file.public_key().public_bytes_raw()
    cipher = _cipher(of_file.exchange(X25519PublicKey.from_public_bytes(owner)), shown, owner)
    with plain.open("rb") as source, into.open("wb") as file:
        file.write(_FIRST_LINE + shown)
        for nonce, piece in _pieces(source, _PIECE):
            file.write(cipher.encrypt(nonce, piece, None))
        file.flush()
        os.fsync(file.fileno())
    with plain.open("rb") as source, into.open("rb") as file:
        file.seek(len(_FIRST_LINE) + _KEY)
        for piece in _opened(file, cipher):
            if source.read(len(piece)) != piece:
                raise BadBackupError("What was sealed does not read back as it was written.")
        if source.read(1):
            raise BadBackupError("What was sealed is cut short.")


def unseal(sealed: Path, into: Path, key_file: Path) -> None:
    """Open a sealed backup into a file for its owner alone. Raises BadBackupError, OSError."""
    key = _read_key(key_file)
    with sealed.open("rb") as file:
        head = file.read(len(_FIRST_LINE) + _KEY)
        shown = head[len(_FIRST_LINE) :]
        if len(shown) != _KEY:
            raise BadBackupError("It is cut short.")
        shared = key.exchange(X25519PublicKey.from_public_bytes(shown))
        cipher = _cipher(shared, shown, key.public_key().public_bytes_raw())
        handle = os.open(into, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as opened:
            for piece in _opened(file, cipher):
                opened.write(piece)


def _cipher(shared: bytes, shown: bytes, owner: bytes) -> ChaCha20Poly1305:
    derive = HKDF(algorithm=SHA256(), length=32, salt=shown + owner, info=_FIRST_LINE)
    return ChaCha20Poly1305(derive.derive(shared))


def _opened(file: IO[bytes], cipher: ChaCha20Poly1305) -> Iterator[bytes]:
    for number, (nonce, piece) in enumerate(_pieces(file, _PIECE + _TAG)):
        try:
            yield cipher.decrypt(nonce, piece, None)
        except InvalidTag as error:
            why = "the key is another one, or it is damaged" if number == 0 else "it is damaged"
            raise BadBackupError(f"It cannot be opened: {why}.") from error


def _pieces(file: IO[bytes], size: int) -> Iterator[tuple[bytes, bytes]]:
    """Each piece with its nonce, which holds its number and whether it is the last. An empty file is one piece."""
    piece, number = file.read(size), 0
    while True:
        following = file.read(size)
        yield number.to_bytes(11, "big") + bytes([not following]), piece
        if not following:
            return
        piece, number = following, number + 1


def _read_key(path: Path) -> X25519PrivateKey:
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    for line in lines:
        if line.startswith(_PRIVATE_PREFIX):
            try:
                raw = base64.b64decode(line.removeprefix(_PRIVATE_PREFIX), validate=True)
                return X25519PrivateKey.from_private_bytes(raw)
            except ValueError:
                break
    raise BadBackupError(f"{path} is no key file: `manage.py backup_key {path.name}` makes one.")


def _public_text(key: X25519PrivateKey) -> str:
    return KEY_PREFIX + base64.b64encode(key.public_key().public_bytes_raw()).decode()
