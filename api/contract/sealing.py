"""Sealing stored answers that show a secret, so that the database alone does not give it away.

The key stream is SHAKE-256 of the caller's own secret, which is kept nowhere, and of the row's number, which is used
once. Only a request that brings the same secret again opens the answer.
"""

from hashlib import shake_256

__all__ = ["seal"]


def seal(body: bytes, *, secret: str, row: int) -> bytes:
    """Seal `body`, or open it: the same step undoes itself."""
    stream = shake_256(f"{row}:{secret}".encode()).digest(len(body))
    return bytes(a ^ b for a, b in zip(body, stream, strict=True))
