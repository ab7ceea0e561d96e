"""Following a file that a game server writes: each event is told once, whenever this process or the server stops.

What was told is in the database, so a match that was begun is read again from its first line, and what is known counts
once. Where to go on stands in a small file: at the first line of the match that is being played.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import msgspec

from foundation import clock
from foundation.refusals import RefusedError
from ratings.logs.accept import accept_events
from ratings.logs.given import GivenEvent
from ratings.models import GameServer, LogEvent

__all__ = ["Followed", "Follower", "LogFormat"]

_MOST_EVENTS = 1000
_BLOCK = 1 << 20
_MOST_LINE = 64 * 1024  # longer ones are no lines of a game


class LogFormat(Protocol):
    """What reads the lines of a log: a module of `formats`. `unread`: lines of it that could not be read."""

    unread: int

    def begins_match(self, line: str) -> bool:
        """Whether a match begins with this line."""

    def moment(self, line: str) -> float:
        """Seconds of the match at a line; 0 where it says none."""

    def read(self, line: str) -> Iterable[tuple[float, dict[str, Any]]]:
        """What a line tells, each at so many seconds of its match."""

    def end(self) -> Iterable[tuple[float, dict[str, Any]]]:
        """What is told of a match that ends here."""


@dataclass(slots=True)
class Followed:
    """Where to go on: at this byte, where a match begins whose first line has this digest; `epoch` counts how often the
    file was begun anew.
    """

    epoch: int = 0
    offset: int = 0
    line: str = ""


class Follower:
    """Reads a file as far as it is written, and tells a server's events.

    refused  what the site did not take, the newest last
    """

    def __init__(self, server: GameServer, path: Path, log: LogFormat, state: Path) -> None:
        self.server, self.path, self.log, self.state = server, path, log, state
        self.refused: list[RefusedError] = []
        self.told = 0
        self._at = Followed()
        if state.exists():
            self._at = Followed(**json.loads(state.read_text(encoding="utf-8")))
        self._file: BinaryIO | None = None
        self._rest = b""
        self._line_at = 0
        self._match, self._began, self._number = "", clock.now(), 0
        self._waits: list[GivenEvent] = []

    def step(self) -> int:
        """Tell what was written since; returns how many events were new here. Raises OSError where there is no file."""
        before = self.told
        self._open()
        for lines in self._blocks():
            for index, (offset, raw) in enumerate(lines):
                line = _text(raw)
                if self.log.begins_match(line):
                    self._begin_match(offset, _digest(raw), self._lasts(lines[index:]))
                for at, happened in self.log.read(line):
                    self._add(at, happened)
                if len(self._waits) >= _MOST_EVENTS:
                    self._tell()
        self._tell()
        return self.told - before

    def close(self) -> None:
        """Leave the file; the match that is being played goes on with the next follower."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _open(self) -> None:
        if self._file is None:
            self._begin_file()
        assert self._file is not None  # noqa: S101 - opened
        size, inode = os.fstat(self._file.fileno()).st_size, os.fstat(self._file.fileno()).st_ino
        if size < self._file.tell() or (
            self._is_replaced(inode) and size == self._file.tell()
        ):  # emptied in place
            self._anew()

    def _is_replaced(self, inode: int) -> bool:
        try:
            return self.path.stat().st_ino != inode
        except FileNotFoundError:  # moved away, and not written again yet
            return False

    def _begin_file(self) -> None:
        self._file = self.path.open("rb")
        self._file.seek(self._at.offset)
        line = self._file.readline(_MOST_LINE)
        is_other = self._at.line and _digest(line) != self._at.line
        if is_other or self._at.offset > os.fstat(self._file.fileno()).st_size:
            self._anew()
            return
        self._file.seek(self._at.offset)
        self._rest, self._line_at = b"", self._at.offset

    def _anew(self) -> None:
        """The file begins again: matches of it are others, also where they stand at the same place. One that is being
        played goes on, until the next begins.
        """
        self.close()
        self._save(Followed(self._at.epoch + 1))
        self._file = self.path.open("rb")
        self._rest, self._line_at = b"", 0

    def _blocks(self) -> Iterator[list[tuple[int, bytes]]]:
        """Whole lines, each with the byte at which it begins, many together; the last one waits for its end."""
        assert self._file is not None  # noqa: S101 - opened
        while block := self._file.read(_BLOCK):
            *lines, self._rest = (self._rest + block).split(b"\n")
            found: list[tuple[int, bytes]] = []
            for line in lines:
                found.append((self._line_at, line))
                self._line_at += len(line) + 1
            yield found
            if len(self._rest) > _MOST_LINE:
                self._line_at += len(self._rest)
                self._rest = b""

    def _begin_match(self, offset: int, digest: str, lasts: float) -> None:
        """A match that `lasts` so many seconds already, by what is written; `digest` is that of its first line."""
        self._end_match()
        self._tell()
        self._save(Followed(self._at.epoch, offset, digest))
        self._match, self._number = f"{self._at.epoch}-{offset}", 0
        assert self._file is not None  # noqa: S101 - opened
        written = datetime.fromtimestamp(os.fstat(self._file.fileno()).st_mtime, UTC)
        self._began = self._begun() or min(written, clock.now()) - timedelta(seconds=lasts)

    def _lasts(self, lines: Sequence[tuple[int, bytes]]) -> float:
        """Seconds from the first of these lines, with which a match begins, to the last of the match."""
        seconds = 0.0
        for _offset, raw in islice(lines, 1, None):
            line = _text(raw)
            if self.log.begins_match(line):
                break
            seconds = max(seconds, self.log.moment(line))
        return seconds

    def _end_match(self) -> None:
        for at, happened in self.log.end():
            self._add(at, happened)

    def _add(self, at: float, happened: dict[str, Any]) -> None:
        self._number += 1
        moment = min(self._began + timedelta(seconds=at), clock.now())
        given = {"match": self._match, "number": self._number, "at": moment, **happened}
        self._waits.append(msgspec.convert(given, GivenEvent))

    def _begun(self) -> datetime | None:
        """When the match began, as was told before."""
        first = LogEvent.objects.filter(log__server=self.server, log__name=self._match, number=1)
        return first.values_list("at", flat=True).first()

    def _tell(self) -> None:
        if not self._waits:
            return
        answer = accept_events(self.server, self._waits)
        self.told += answer.stored
        self.refused = [*self.refused, *answer.refused.values()][-20:]
        # What is refused, such as a name that the site keeps for itself, leaves no gap for which the others wait.
        places = [self._waits[index] for index in answer.refused]
        if places:
            accept_events(
                self.server,
                [GivenEvent(match=it.match, number=it.number, type="round") for it in places],
            )
        self._waits = []

    def _save(self, at: Followed) -> None:
        """Note where to go on, before anything of it is told."""
        self._at = at
        self.state.parent.mkdir(parents=True, exist_ok=True)
        new = self.state.with_suffix(".new")
        new.write_text(json.dumps(asdict(at)), encoding="utf-8")
        new.replace(self.state)


def _text(line: bytes) -> str:
    """Games write names in whatever their players type."""
    line = line.rstrip(b"\r")
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("latin-1")


def _digest(line: bytes) -> str:
    return hashlib.sha256(line.rstrip(b"\r\n")).hexdigest()[:16]
