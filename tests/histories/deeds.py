"""What operators and owners do to a history, by the functions that pages call. Any process can do it."""

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from accounts.models import User
from api.site.delete_person import delete_account, delete_player
from foundation.archiving import Archivable
from ratings.archiving import archive, restore
from ratings.importing.take_back import take_back
from ratings.matches.result import Result
from ratings.matches.revising.annul_many import Chosen, annul_many
from ratings.matches.revising.correct import correct
from ratings.merging.merge import merge
from ratings.merging.unmerge import unmerge
from ratings.models import Ladder, Match, Player, RatingTrack, TrackState
from tests.histories.drawn import Entry
from tests.ratings.arena import DAY, START

__all__ = ["Deed", "Place", "What", "do", "result_of"]

_NOTE = "Because."


class What(enum.Enum):
    """What is done; the value is how it is told."""

    MERGE = "merge"
    UNMERGE = "unmerge"
    ANNUL = "annul, by player and span"
    CORRECT = "correct a result"
    ARCHIVE = "archive"
    RESTORE = "restore"
    TAKE_BACK = "take back an import"
    DELETE_OWN = "delete, by the owner"
    DELETE_ACCOUNT = "delete an account, by an operator"
    DELETE_PLAYER = "delete a player, by an operator"

    @property
    def is_deletion(self) -> bool:
        """Whether a person is gone afterwards."""
        return self in {What.DELETE_OWN, What.DELETE_ACCOUNT, What.DELETE_PLAYER}

    @property
    def changes_nothing(self) -> bool:
        """Whether no rating changes by it."""
        return self.is_deletion or self in {What.ARCHIVE, What.RESTORE}


@dataclass(frozen=True, kw_only=True)
class Deed:
    """One thing done: players and matches by number, times in days.

    who     the player who is merged, whose matches are annulled, or who is deleted; `into`: with whom one is merged
    match   whose result becomes that of `result`
    thing   that is archived or restored: game, ladder or track
    """

    what: What
    who: int = 0
    into: int = 0
    since: float | None = None
    until: float | None = None
    match: int = 0
    result: Entry | None = None
    thing: str = ""


@dataclass(frozen=True)
class Place:
    """Where a history is in the database: the ids of its rows.

    players  by number; None for one who never came
    matches  by number
    account  of the person who is to be deleted
    """

    ladder: int
    players: tuple[int | None, ...]
    matches: tuple[int, ...]
    file: int | None
    account: int | None

    def player(self, number: int) -> Player:
        """A player as the row is now."""
        pk = self.players[number]
        assert pk is not None
        return Player.objects.select_related("game", "user").get(pk=pk)

    def user(self) -> User:
        """The account of the person."""
        assert self.account is not None
        return User.objects.get(pk=self.account)

    def thing(self, kind: str) -> Archivable:
        """The ladder, its game, or a track of it that players do not see."""
        ladder = Ladder.objects.select_related("game").get(pk=self.ladder)
        if kind == "track":
            tracks = RatingTrack.objects.filter(ladder=ladder, state=TrackState.LIVE, shown=False)
            return tracks.order_by("system")[0]
        return ladder.game if kind == "game" else ladder


def do(deed: Deed, place: Place) -> None:
    """Do it."""
    _DOING[deed.what](deed, place)


def _moment(day: float | None) -> datetime | None:
    return None if day is None else START + day * DAY


def _merge(deed: Deed, place: Place) -> None:
    merge(
        player=place.player(deed.who),
        into=place.player(deed.into),
        by=None,
        note=_NOTE,
        since=_moment(deed.since),
        annul_shared=True,
    )


def _unmerge(deed: Deed, place: Place) -> None:
    unmerge(player=place.player(deed.who), by=None, note=_NOTE)


def _annul(deed: Deed, place: Place) -> None:
    since, until = _moment(deed.since), _moment(deed.until)
    annul_many(Chosen(player=place.player(deed.who), since=since, until=until), by=None, note=_NOTE)


def _correct(deed: Deed, place: Place) -> None:
    match, told = Match.objects.get(pk=place.matches[deed.match]), deed.result
    assert told is not None
    correct(match_id=match.pk, result=result_of(match, told, place), reason=_NOTE)


def result_of(match: Match, told: Entry, place: Place) -> Result:
    """What is told of a match as the product takes it: by whom its participations count for now."""
    assert told.scores is not None
    assert told.minutes is not None
    names = [place.players[who] for team in told.teams for who in team]
    counting = {
        one.reported_as_id or one.player_id: one.player_id for one in match.participants.all()
    }
    people = [counting[pk] for pk in names if pk is not None]
    return Result(
        ranks=told.ranks,
        player_scores=dict(zip(people, told.scores, strict=True)),
        minutes=dict(zip(people, told.minutes, strict=True)),
    )


def _archive(deed: Deed, place: Place) -> None:
    archive(place.thing(deed.thing), by=None, note=_NOTE)


def _restore(deed: Deed, place: Place) -> None:
    restore(place.thing(deed.thing), by=None, note=_NOTE)


def _take_back(_deed: Deed, place: Place) -> None:
    assert place.file is not None
    take_back(file_id=place.file, by=None, note=_NOTE)


def _delete_own(_deed: Deed, place: Place) -> None:
    user = place.user()
    delete_account(user, by=user)


def _delete_account(_deed: Deed, place: Place) -> None:
    delete_account(place.user(), by=None, note=_NOTE)


def _delete_player(deed: Deed, place: Place) -> None:
    delete_player(place.player(deed.who), by=None, note=_NOTE)


_DOING: Mapping[What, Callable[[Deed, Place], Any]] = {
    What.MERGE: _merge,
    What.UNMERGE: _unmerge,
    What.ANNUL: _annul,
    What.CORRECT: _correct,
    What.ARCHIVE: _archive,
    What.RESTORE: _restore,
    What.TAKE_BACK: _take_back,
    What.DELETE_OWN: _delete_own,
    What.DELETE_ACCOUNT: _delete_account,
    What.DELETE_PLAYER: _delete_player,
}
