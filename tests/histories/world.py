"""A history in the database, recorded as it happened, and everything that its ladder says afterwards."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from itertools import groupby
from typing import Any

from leaderboards.models import Standing
from leaderboards.tasks import flip_due_standings
from ratings.importing import import_matches
from ratings.models import MapGames, Match, Player, RatingTrack
from ratings.runs.replay import request_replays
from tests.histories.chains import Played, Step, Traces
from tests.histories.deeds import Deed, Place, do, result_of
from tests.histories.drawn import Entry, History
from tests.histories.traces import blame, leave_traces, make_account
from tests.ratings.arena import DAY, START, late
from tests.ratings.replays import live, rate_all, replays, story_of
from tests.ratings.squads import SquadArena, make_squads

__all__ = ["FINAL", "World", "difference", "record"]

FINAL = 60.0  # days: when everything is rated at last


@dataclass
class World:
    """A ladder on which a history was played, and the rows that came of it.

    matches  ids, in the order of the history
    """

    history: History
    arena: SquadArena
    matches: list[int] = field(default_factory=list)
    file: int | None = None
    account: int | None = None

    @property
    def place(self) -> Place:
        """Where it is, for whoever does something to it."""
        players = tuple(player.pk for player in self.arena.players)
        return Place(self.arena.ladder.pk, players, tuple(self.matches), self.file, self.account)

    def play(self, entries: Sequence[Entry]) -> None:
        """Matches whose results came in one by one."""
        matches = self.arena.fight(*entries)
        for match, entry in zip(matches, entries, strict=True):
            match.map = entry.map
        Match.objects.bulk_update(matches, ["map"])
        self.matches += [match.pk for match in matches]

    def take_in(self, entries: Sequence[Entry]) -> None:
        """Matches that come with a file, and players with them."""
        text = "\n".join(json.dumps(_line_of(one)) for one in entries)
        ladder, game = self.arena.ladder, self.arena.game
        with late(self.history.file_day):
            import_matches(BytesIO(text.encode()), name="history.jsonl", ladder=ladder.slug)
        self.file = ladder.imports.get().pk
        own = Match.objects.filter(source=self.file).order_by("ladder_seq")
        self.matches += own.values_list("pk", flat=True)
        for number in range(self.history.people, self.history.people + self.history.strangers):
            known = Player.objects.filter(game=game, external_id=_name_of(number)).first()
            self.arena.players.append(known or Player())  # who plays in no match that counts

    def take(self, step: Step) -> None:
        """Let one thing happen."""
        if isinstance(step, Deed):
            do(step, self.place)
        elif isinstance(step, Played):
            self.play(step.entries)
        else:
            self._leave_traces(step)

    def _leave_traces(self, traces: Traces) -> None:
        user = make_account() if traces.has_account else None
        self.account = user.pk if user else None
        player, other = (self.place.player(who) for who in (traces.who, traces.other))
        match = None if traces.match is None else Match.objects.get(pk=self.matches[traces.match])
        leave_traces(player, user=user, other=other, said_on=match)
        if match is not None and traces.result is not None:
            blame(match, result_of(match, traces.result, self.place))

    def settle(self) -> None:
        """Workers do what is due."""
        rate_all(day=FINAL)
        with late(FINAL):
            flip_due_standings()

    def replay(self) -> None:
        """Everything is rated anew, from the first match on."""
        with late(FINAL):
            request_replays(ladder_id=self.arena.ladder.pk, from_seq=1)
        self.settle()

    def stories(self, off_boards: Collection[int]) -> dict[str, Any]:
        """What its tracks and its board say, to the bit, and how often who played where."""
        systems = [system for system, _days in self.history.shape.tracks]
        told: dict[str, Any] = {"replays under way": replays(self.arena)}
        for system in systems:
            story = story_of(self.arena, live(self.arena, system))
            told |= {f"{system}: {name}": said for name, said in story.items()}
        numbers = {player.pk: number for number, player in enumerate(self.arena.players)}
        shown = RatingTrack.objects.get(ladder=self.arena.ladder, shown=True)
        standings = Standing.objects.filter(track=shown).values_list(
            "player", "order_value", "listed", "listed_until", "hidden_as"
        )
        rows = sorted((numbers[row[0]], *row[1:]) for row in standings)
        told["standings"] = [row for row in rows if row[0] not in off_boards]
        maps = MapGames.objects.filter(ladder=self.arena.ladder, games__gt=0)
        played = maps.values_list("player", "map", "games")
        told["maps"] = sorted((numbers[row[0]], *row[1:]) for row in played)
        return told


def record(
    history: History, entries: Sequence[Entry], *, slug: str, at_once: bool = False
) -> World:
    """Play a history in a game of its own. What comes of it is not rated yet, unless it was before the file came.

    at_once  as if it had been so from the start: nothing is rated in between
    """
    shape = history.shape
    arena = make_squads(
        history.people,
        teams=shape.teams,
        size=shape.size,
        slug=slug,
        pool_minimum=history.pool_minimum,
    )
    for number, (system, days) in enumerate(shape.tracks):
        arena.track(system, days=days, shown=number == 0)
    world = World(history, arena)
    for is_file, them in groupby(entries, key=lambda entry: entry.in_file):
        batch = list(them)
        if not is_file:
            world.play(batch)
            continue
        if history.rated_before_file and not at_once:
            rate_all(day=batch[0].day)
        world.take_in(batch)
    return world


def difference(world: World, clean: World, *, off_boards: Collection[int]) -> str:
    """What one says that the other does not; nothing where they say the same.

    off_boards  players by number who are merged: with what stays their own they have a rating, but no place
    """
    ours, theirs = world.stories(off_boards), clean.stories(off_boards)
    words = []
    for name, said in ours.items():
        if said != theirs[name]:
            words.append(f"{name}: {_first_difference(said, theirs[name])}")
    return "; ".join(words)


def _first_difference(ours: Any, theirs: Any) -> str:
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        pairs = zip(ours, theirs, strict=True)
        ours, theirs = next((one, other) for one, other in pairs if one != other)
    elif isinstance(ours, list) and isinstance(theirs, list):
        ours, theirs = f"{len(ours)} rows", f"{len(theirs)} rows"
    return f"{ours} instead of {theirs}"


def _name_of(number: int) -> str:
    return f"player {number}"


def _line_of(entry: Entry) -> dict[str, Any]:
    assert entry.scores is not None
    assert entry.minutes is not None
    size = len(entry.teams[0])
    parts = [slice(at * size, at * size + size) for at in range(len(entry.teams))]
    return {
        "date": (START + entry.day * DAY).isoformat(),
        "teams": [[_name_of(who) for who in team] for team in entry.teams],
        "ranks": entry.ranks,
        "scores": [entry.scores[part] for part in parts],
        "minutes": [entry.minutes[part] for part in parts],
        **({"map": entry.map} if entry.map else {}),
    }
