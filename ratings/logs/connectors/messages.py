"""Messages of MatchZy and Get5 that came by HTTP."""

import json
from hashlib import blake2b
from typing import Any

import msgspec

from ratings.logs.connectors.receive import Received, Sending, is_doubled, receiving
from ratings.logs.formats.matchzy import MatchzyLog, MatchzyState

__all__ = ["NoMessageError", "read_message", "receive_message"]


class NoMessageError(Exception):
    """What was sent is no message."""


def receive_message(connector: int, body: bytes) -> Received:
    """Tell what a message says. Raises NoMessageError, and as `receiving` does."""
    try:
        message = read_message(body)
    except NoMessageError:
        message = None

    def read(sending: Sending, state: dict[str, Any]) -> dict[str, Any]:
        known = msgspec.convert(state, MatchzyState)
        own, counts = sending.connector, sending.counts
        log = MatchzyLog(known, by_name=own.by_name, free_for_all=own.free_for_all)
        counts.received += 1
        if sending.is_over:
            log.forget_match()
            sending.numbering.match = ""
        if message is None:
            counts.unread += 1
        elif is_doubled(sending.numbering, blake2b(body, digest_size=16).hexdigest()):
            counts.known += 1
        else:
            for happened in log.read(message):
                sending.add(happened, sending.now)
            counts.known += log.known
            counts.late += log.late
            counts.lost += log.lost
            counts.unreconciled += log.unreconciled
            sending.names |= log.names
        plain: dict[str, Any] = msgspec.to_builtins(known)
        return plain

    received = receiving(connector, read)
    if message is None:
        raise NoMessageError
    return received


def read_message(body: bytes) -> dict[str, Any]:
    """A message as JSON, whatever characters stand in its names. Raises NoMessageError where it is none."""
    try:
        found = json.loads(body.decode(errors="replace"), strict=False)
    except (ValueError, RecursionError) as error:
        raise NoMessageError from error
    if not isinstance(found, dict):
        raise NoMessageError
    return found
