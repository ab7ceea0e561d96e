"""The study: let a pool play, let outsiders read, and see how well they know who is strong."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.test import Client

from tests.hidden.inference.outsiders import Listening, Outsider, outsiders_of
from tests.hidden.inference.pool import Pool
from tests.hidden.inference.strengths import bradley_terry, correlation, elo, means

__all__ = ["Reached", "study"]

# Fewer clues tell of too few players to be more than luck.
_LEAST_CLUES = 40
_LIVE = 5


@dataclass(frozen=True, slots=True)
class Reached:
    """The best that an outsider reaches in one way: Spearman's correlation with hidden values, and from which clue."""

    outsider: str
    way: str
    correlation: float
    clue: str
    clues: int


def study(pool: Pool) -> tuple[list[Reached], dict[str, list[str]]]:
    """Record the pool's results, let outsiders read and listen, and rebuild strengths.

    Returns what each reaches in each way, and what the streams of each have told of matches.
    """
    pool.record()
    hidden = pool.hidden_values()
    names = _names(pool)
    order = np.argsort(hidden)[::-1]
    some = [pool.players[n] for n in (*order[:2], *order[-2:]) if n]
    outsiders = outsiders_of(pool)
    with pool.theatre.at_now():
        for outsider in outsiders:
            outsider.read_everything(pool, names, some)
        with Listening(outsiders) as streams:
            _play_live(pool)
            streams.hear()
        for outsider in outsiders:
            outsider.follow(pool, names)
    reached = [best for outsider in outsiders for best in _judge(outsider, hidden)]
    return reached, {outsider.name: outsider.heard for outsider in outsiders}


def _names(pool: Pool) -> dict[str, int]:
    """By whatever a player goes: the number."""
    return {
        name: number
        for number, player in enumerate(pool.players)
        for name in (player.name, player.external_id, f"/players/{player.pk}/")
    }


def _play_live(pool: Pool) -> None:
    """A few matches that the game arranges, each of other players than Otto."""
    theatre, ids = pool.theatre, [player.external_id for player in pool.players[1:]]
    for first, second in zip(ids[:_LIVE], ids[_LIVE : 2 * _LIVE], strict=True):
        line_up = {"ladder": theatre.ladder.slug, "teams": [[first], [second]]}
        match = theatre.call(theatre.server, "matches", line_up)["id"]
        answer = Client(headers={"Authorization": f"Bearer {theatre.server}"}).post(
            f"/api/v1/matches/{match}/result", {"ranks": [0, 1]}, content_type="application/json"
        )
        assert answer.status_code < 300, answer.content


def _judge(outsider: Outsider, hidden: Sequence[float]) -> Iterator[Reached]:
    clues, players = outsider.clues, len(hidden)
    counted = {
        where: [(person, 1.0) for pair in pairs for person in pair]
        for where, pairs in clues.meetings.items()
    }
    for way, found in (
        ("Elo", _each(clues.comparisons, lambda pairs: elo(pairs, players))),
        ("Bradley-Terry", _each(clues.comparisons, lambda pairs: bradley_terry(pairs, players))),
        ("games counted", _each(counted, lambda seats: _sums(seats, players))),
        ("figures beside names", _each(clues.figures, lambda told: means(told, players))),
    ):
        ranked = [(correlation(values, hidden), where, count) for where, count, values in found]
        yield Reached(outsider.name, way, *max(ranked, default=(0.0, "", 0)))


def _each(
    clues: dict[str, list[Any]], fit: Callable[[list[Any]], np.ndarray]
) -> Iterator[tuple[str, int, np.ndarray]]:
    for where, told in clues.items():
        if len(told) >= _LEAST_CLUES:
            yield where, len(told), fit(told)


def _sums(seats: Sequence[tuple[int, float]], players: int) -> np.ndarray:
    return np.bincount([person for person, _ in seats], minlength=players)
