"""What the page of a match shows that its server tells, beside what it shows of every match. Five queries."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from leaderboards.logs.event_pages import EventPage, events_of
from leaderboards.logs.scoreboard import Scoreboard, read_scoreboard
from leaderboards.logs.servers import is_public
from leaderboards.logs.story import Story, story_of
from ratings.matches.summary import MatchSummary
from ratings.models import GameServer, MatchLog, MatchState, Player

__all__ = ["Duels", "FragTable", "ToldMatch", "told_match_of"]

# A table of more would be wider than any screen.
_MOST_COLUMNS = 16


@dataclass(frozen=True, slots=True)
class Duels:
    """One player against the others: whom this one fragged how often, and by whom it was fragged, the most first.

    `cells` are the frags of each player of the table, in its order.
    """

    player: Player
    made: Sequence[tuple[Player, int]]
    suffered: Sequence[tuple[Player, int]]
    cells: Sequence[int]

    @property
    def frags(self) -> int:
        """Of all victims together."""
        return sum(number for _victim, number in self.made)


@dataclass(frozen=True, slots=True)
class FragTable:
    """Who fragged whom, players in the order of the scoreboard; without `columns` there are too many for a table."""

    columns: Sequence[Player]
    rows: Sequence[Duels]


@dataclass(frozen=True, slots=True)
class ToldMatch:
    """A match as its server tells it.

    server_page  whether the server has a page for everybody
    awaits_from  the number of the first event that is missing and waited for; None: nothing is
    """

    server: GameServer
    server_page: bool
    is_playing: bool
    awaits_from: int | None
    scoreboard: Scoreboard
    table: FragTable
    story: Story
    events: EventPage
    players: Mapping[int, Player]

    @property
    def streaks(self) -> list[tuple[Player, int]]:
        """The longest runs of frags, the longest first."""
        known = self.players
        return [(known[it.player], it.frags) for it in self.story.streaks if it.player in known]


def told_match_of(log: MatchLog, summary: MatchSummary, *, before: int | None) -> ToldMatch:
    """Read what the log of a match tells; `before`: of its events those with lower numbers.

    The match was read with its ladder and game, the log with its server, and that one with both.
    """
    story = story_of(log)
    scoreboard = read_scoreboard(
        log, summary, streaks={it.player: it.frags for it in story.streaks}, gone=story.gone
    )
    events = events_of(log, before)
    players = {row.player.pk: row.player for row in scoreboard.rows}
    players |= _others(story, events.players - players.keys(), players)
    server = log.server
    return ToldMatch(
        server=server,
        server_page=is_public(server),
        is_playing=summary.match.state == MatchState.PLAYING,
        awaits_from=log.complete_to + 1 if log.complete_to < log.highest else None,
        scoreboard=scoreboard,
        table=_table(story.frags, [row.player for row in scoreboard.rows], players),
        story=story,
        events=events,
        players=players,
    )


def _others(story: Story, named: set[int], known: Mapping[int, Player]) -> dict[int, Player]:
    """Who is named, and takes no part under this name: a query for those who were merged meanwhile alone."""
    of_story = {it.player for it in story.streaks}
    for player, victims in story.frags.items():
        of_story |= {player, *victims}
    missing = named | (of_story - known.keys())
    return Player.objects.in_bulk(missing) if missing else {}


def _table(
    frags: Mapping[int, Mapping[int, int]], order: Iterable[Player], players: Mapping[int, Player]
) -> FragTable:
    suffered: dict[int, dict[int, int]] = {}
    for player, victims in frags.items():
        for victim, number in victims.items():
            suffered.setdefault(victim, {})[player] = number
    named = [it for it in order if it.pk in frags or it.pk in suffered]
    columns = named if len(named) <= _MOST_COLUMNS else []
    rows = [
        Duels(
            player=one,
            made=_most_first(frags.get(one.pk, {}), players),
            suffered=_most_first(suffered.get(one.pk, {}), players),
            cells=[frags.get(one.pk, {}).get(it.pk, 0) for it in columns],
        )
        for one in named
    ]
    return FragTable(columns, rows)


def _most_first(
    numbers: Mapping[int, int], players: Mapping[int, Player]
) -> list[tuple[Player, int]]:
    pairs = [(players[pk], number) for pk, number in numbers.items() if pk in players]
    return sorted(pairs, key=lambda pair: (-pair[1], pair[0].name))
