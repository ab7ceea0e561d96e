"""Contests in Elo and Glicko, player by player in plain loops as the rule reads, to compare the fast ones with."""

import math
from collections.abc import Sequence
from statistics import fmean

from ratings.systems import Contests, Ratings
from tests.ratings.systems.glicko import glicko2_reference
from tests.ratings.systems.reference import ESTABLISHED, NEW, PROVISIONAL, Player, Rules

__all__ = ["elo", "elo_at_once", "glicko", "glicko2", "players_of"]

Q = math.log(10) / 400
# Of a contest the rank of each team, and the positions of its members.
Contest = list[tuple[int, list[int]]]


def listed(contests: Contests) -> list[Contest]:
    """The contests as lists."""
    games: list[Contest] = [[] for _ in range(len(contests))]
    for number, team, player, rank in zip(
        contests.contest.tolist(),
        contests.team.tolist(),
        contests.player.tolist(),
        contests.rank.tolist(),
        strict=True,
    ):
        if len(games[number]) == team:
            games[number].append((rank, []))
        games[number][team][1].append(player)
    return games


def points(own: int, other: int) -> float:
    return 1.0 if own < other else 0.5 if own == other else 0.0


def players_of(ratings: Ratings) -> list[Player]:
    columns = (ratings.value.tolist(), ratings.games.tolist(), ratings.counted.tolist())
    return [Player(*row) for row in zip(*columns, strict=True)]


def elo(rules: Rules, players: list[Player], contests: Contests, *, all_count: bool) -> None:
    """Each contest an event of its own."""
    for game in listed(contests):
        _elo_event(rules, players, [game], all_count=all_count)


def elo_at_once(
    rules: Rules, players: list[Player], contests: Contests, *, all_count: bool
) -> None:
    """All contests one event."""
    _elo_event(rules, players, listed(contests), all_count=all_count)


def _elo_event(
    rules: Rules, players: list[Player], games: Sequence[Contest], *, all_count: bool
) -> None:
    before = [player.value for player in players]
    status = [rules.status(player) for player in players]
    newest = list(before)
    for stage in (NEW, PROVISIONAL, ESTABLISHED):
        seen = list(newest)
        for game in games:
            for rank, team in game:
                others = [(r, members) for r, members in game if members is not team]
                own_mean = fmean(before[one] for one in team)
                for one in team:
                    if status[one] != stage:
                        continue
                    moved = 0.0
                    for other_rank, members in others:
                        theirs = fmean(seen[other] for other in members)
                        moved += points(rank, other_rank) - rules.expected(own_mean, theirs)
                    k = fmean(
                        fmean(rules.k(before[one], stage, status[other]) for other in members)
                        for _, members in others
                    )
                    newest[one] += k * moved / len(others)
        newest = [max(value, 0.0) for value in newest]
    for game in games:
        for _, team in game:
            for one in team:
                met = [m for _, members in game if members is not team for m in members]
                players[one].games += 1
                players[one].counted += all_count or any(status[m] == ESTABLISHED for m in met)
    for player, value in zip(players, newest, strict=True):
        player.value = value


def _terms(ratings: Ratings, contests: Contests) -> list[list[tuple[float, float, float, float]]]:
    """Of each player (weight, g, E, w) of all pair games."""
    assert ratings.deviation is not None
    value, deviation = ratings.value.tolist(), ratings.deviation.tolist()
    found: list[list[tuple[float, float, float, float]]] = [[] for _ in value]
    for game in listed(contests):
        for rank, team in game:
            for other_rank, members in game:
                if members is team:
                    continue
                spread = math.sqrt(sum(deviation[m] ** 2 for m in members)) / len(members)
                g = 1 / math.sqrt(1 + 3 * Q * Q * spread * spread / math.pi**2)
                ahead = fmean(value[m] for m in team) - fmean(value[m] for m in members)
                expected = 1 / (1 + 10 ** (-g * ahead / 400))
                for one in team:
                    weight = 1 / (len(game) - 1)
                    found[one].append((weight, g, expected, points(rank, other_rank)))
    return found


def glicko(ratings: Ratings, contests: Contests) -> list[tuple[float, float]]:
    """Rating and deviation of everybody after the period."""
    assert ratings.deviation is not None
    found = []
    columns = (ratings.value.tolist(), ratings.deviation.tolist(), _terms(ratings, contests))
    for value, deviation, terms in zip(*columns, strict=True):
        information = Q * Q * sum(weight * g * g * e * (1 - e) for weight, g, e, _ in terms)
        variance = 1 / (1 / deviation**2 + information)
        moved = Q * variance * sum(weight * g * (won - e) for weight, g, e, won in terms)
        after = min(max(math.sqrt(variance), 30.0), 350.0) if terms else deviation
        found.append((value + moved, after))
    return found


def glicko2(ratings: Ratings, contests: Contests) -> list[tuple[float, float, float]]:
    """Rating, deviation and volatility of everybody after the period."""
    assert ratings.deviation is not None
    assert ratings.volatility is not None
    rules, found = glicko2_reference.Rules(), []
    columns = (ratings.value.tolist(), ratings.deviation.tolist(), ratings.volatility.tolist())
    for row, terms in zip(zip(*columns, strict=True), _terms(ratings, contests), strict=True):
        if not terms:
            found.append(row)
            continue
        player = glicko2_reference.Player.of(*row)
        v = 1 / sum(weight * g * g * e * (1 - e) for weight, g, e, _ in terms)
        gain = sum(weight * g * (won - e) for weight, g, e, won in terms)
        sigma = min(glicko2_reference.new_volatility(player, v, v * gain, rules), 1.0)
        star = math.sqrt(player.phi**2 + sigma**2)
        phi = 1 / math.sqrt(1 / star**2 + 1 / v)
        value = 1500 + (player.mu + phi**2 * gain) * glicko2_reference.SCALE
        deviation = min(max(phi * glicko2_reference.SCALE, 30.0), 350.0)
        found.append((value, deviation, sigma))
    return found
