"""Lines of logs that came by UDP or HTTP: each is told once, those of a match that is over no more."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import msgspec

from ratings.logs.connectors.receive import (
    Received,
    Sending,
    is_doubled,
    receiving,
    told_at,
)
from ratings.logs.formats.source import SourceLog, SourceState
from ratings.logs.formats.source_lines import split_stamp

__all__ = ["Piece", "receive_lines", "receive_piece"]

# A line from before the match began has come late. One from long before says that the clock was set back.
_LATE = timedelta(seconds=60)
_MOST_RANGES = 20
# Of lines of players those that count each time.
_ONCE = (" killed ", " committed suicide ", "flagevent")
Line = tuple[datetime, str, str]


class _Missing(msgspec.Struct):
    """Bytes of a log that never came, and the number that was left free for them in a match; 0: there was none."""

    first: int
    last: int
    match: str = ""
    number: int = 0


class _Position(msgspec.Struct):
    """How much of a log was here: up to which byte, of which start of the server, and what is missing below that."""

    token: str = ""
    end: int = 0
    missing: list[_Missing] = []


class _State(msgspec.Struct):
    log: SourceState = msgspec.field(default_factory=SourceState)
    position: _Position = msgspec.field(default_factory=_Position)


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a log by HTTP. `token`: of this start of the server; `begin`, `end`: bytes of the whole log, None
    where the sender does not say.
    """

    body: bytes
    token: str = ""
    begin: int | None = None
    end: int | None = None


def receive_lines(connector: int, lines: Sequence[str], batch: str = "") -> Received:
    """Tell lines in the order in which they came. Raises as `receiving` does."""

    def read(sending: Sending, state: dict[str, Any]) -> dict[str, Any]:
        known = msgspec.convert(state, _State)
        _read(sending, known.log, lines)
        return _plain(known)

    return receiving(connector, read, batch)


def receive_piece(connector: int, piece: Piece) -> Received:
    """Tell a piece of a log, which may have been here, or may follow on one that never came. Raises as `receiving`."""

    def read(sending: Sending, state: dict[str, Any]) -> dict[str, Any]:
        known = msgspec.convert(state, _State)
        body, is_missing = _new_of(piece, known.position, sending)
        missing = known.position.missing[-1] if is_missing else None
        is_whole = piece.end is not None
        _read(sending, known.log, _text(body).split("\n"), missing, is_whole=is_whole)
        return _plain(known)

    return receiving(connector, read)


def _plain(state: _State) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(state)
    return plain


def _new_of(piece: Piece, at: _Position, sending: Sending) -> tuple[bytes, bool]:
    """What of a piece was not here yet, and whether something is missing before it."""
    begin, end = piece.begin, piece.end
    if begin is None or end is None or end < begin:
        return piece.body, False
    if piece.token != at.token or _is_anew(piece, at, sending):
        at.token, at.end, at.missing = piece.token, end, []
        return piece.body, False
    late = next((it for it in at.missing if it.first <= begin and end <= it.last), None)
    if late is not None:
        _fill(late, begin, end, at, sending)
        return piece.body, False
    if end <= at.end:
        sending.counts.received += (count := piece.body.count(b"\n") or 1)
        sending.counts.known += count
        return b"", False
    is_missing, body = begin > at.end, piece.body
    if is_missing:
        at.missing = [*at.missing, _Missing(at.end, begin)][-_MOST_RANGES:]
    elif begin < at.end and len(body) == end - begin:
        body = body[at.end - begin :]
    at.end = end
    return body, is_missing


def _fill(late: _Missing, begin: int, end: int, at: _Position, sending: Sending) -> None:
    """What was missing comes after all. When it is whole nobody waits for it any more."""
    at.missing.remove(late)
    rests = [
        _Missing(first, last, late.match, late.number)
        for first, last in ((late.first, begin), (end, late.last))
        if first < last
    ]
    at.missing += rests
    if not rests and late.number and late.match == sending.numbering.match:
        sending.counts.lost -= 1
        sending.add({"type": "round", "number": late.number}, sending.now)


def _is_anew(piece: Piece, at: _Position, sending: Sending) -> bool:
    """Whether the bytes of a log are counted from the beginning again: what would be old has newer lines."""
    newest = max((it[0] for it in _stamped(_text(piece.body).split("\n"))), default=None)
    before = sending.numbering.newest
    return (
        piece.end is not None
        and piece.end <= at.end
        and newest is not None
        and bool(before)
        and newest > datetime.fromisoformat(before)
    )


def _text(body: bytes) -> str:
    return body.decode(errors="replace")


def _stamped(lines: Sequence[str]) -> list[Line]:
    return [
        (found[0], found[1], line) for line in lines if (found := split_stamp(line)) is not None
    ]


def _read(
    sending: Sending,
    state: SourceState,
    lines: Sequence[str],
    missing: _Missing | None = None,
    *,
    is_whole: bool = False,
) -> None:
    """Tell lines; `missing`: what never came before them."""
    own, numbering, counts = sending.connector, sending.numbering, sending.counts
    options = {"by_name": own.by_name, "free_for_all": own.free_for_all, "is_whole": is_whole}
    log = SourceLog(state, **options)
    if sending.is_over:
        log.forget_match()
        numbering.match = numbering.began = ""
    if missing is not None:
        counts.lost += 1
        if numbering.match:
            sending.add({"type": "lost"}, sending.now)
            missing.match, missing.number = numbering.match, numbering.number
    stamped = _stamped(lines)
    counts.received += sum(bool(line.strip()) for line in lines)
    counts.unread += sum(bool(line.strip()) for line in lines) - len(stamped)
    newest = max((it[0] for it in stamped), default=None)
    for stamp, words, line in stamped:
        if not words.startswith('"') or any(word in words for word in _ONCE):
            if is_doubled(numbering, line):
                counts.known += 1
                continue
            if numbering.began and _is_late(stamp, datetime.fromisoformat(numbering.began)):
                counts.late += 1
                continue
        at = told_at(sending.now, newest or stamp, stamp)
        for happened in log.read(words):
            sending.add(happened, at)
            if happened["type"] == "begin":
                numbering.began = stamp.isoformat()
        numbering.newest = max(numbering.newest, stamp.isoformat(timespec="milliseconds"))
    counts.unread += log.unread
    counts.lost += log.lost
    sending.names |= log.names


def _is_late(stamp: datetime, began: datetime) -> bool:
    return timedelta() < began - stamp <= _LATE
