"""Rates games with a peer and prints the seconds it took.

Run by the peers' own Python: measure.py CASE GAMES.npz NUMBER
"""

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

Games = dict[str, Any]


def riix(model: str) -> Callable[[Games], Callable[[], None]]:
    """A rating system of riix over the first games, by its default way: one game after the other."""

    def prepare(games: Games) -> Callable[[], None]:
        from importlib import import_module

        from riix.utils import MatchupDataset

        module, name = model.split(".")
        system_of = getattr(import_module(f"riix.models.{module}"), name)
        matchups = np.stack((games["first"], games["second"]), axis=1)
        data = MatchupDataset.init_from_arrays(
            time_steps=games["period"].astype(np.int32),
            matchups=matchups,
            outcomes=games["score"],
            competitors=[str(number) for number in range(games["players"])],
        )
        system = system_of(data.competitors)
        return lambda: system.fit_dataset(data)

    return prepare


def openskill(games: Games) -> Callable[[], None]:
    """openskill's Plackett-Luce model, one game after the other, players of a team together."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    players = [model.rating() for _ in range(games["players"])]

    def play() -> None:
        for teams, ranks in matches(games):
            rated = model.rate([[players[one] for one in team] for team in teams], ranks=ranks)
            for team, new in zip(teams, rated, strict=True):
                for one, rating in zip(team, new, strict=True):
                    players[one] = rating

    return play


def trueskill(games: Games) -> Callable[[], None]:
    """The trueskill package, one game after the other."""
    from trueskill import TrueSkill

    model = TrueSkill()
    players = [model.create_rating() for _ in range(games["players"])]

    def play() -> None:
        for teams, ranks in matches(games):
            rated = model.rate([tuple(players[one] for one in team) for team in teams], ranks=ranks)
            for team, new in zip(teams, rated, strict=True):
                for one, rating in zip(team, new, strict=True):
                    players[one] = rating

    return play


def elote(games: Games) -> Callable[[], None]:
    """elote's Elo, player by player."""
    from elote import EloCompetitor

    players = [EloCompetitor(initial_rating=1500) for _ in range(games["players"])]
    pairs = zip(games["first"].tolist(), games["second"].tolist(), games["score"], strict=True)
    listed = list(pairs)

    def play() -> None:
        for one, other, score in listed:
            if score == 0.5:
                players[one].tied(players[other])
            elif score == 1:
                players[one].beat(players[other])
            else:
                players[one].lost_to(players[other])

    return play


def matches(games: Games) -> list[tuple[list[list[int]], list[int]]]:
    """Line-ups and ranks, by match."""
    size = int(games["team_size"])
    if size == 1:
        ranks = np.stack((games["score"] < 0.5, games["score"] > 0.5), axis=1).astype(int).tolist()
        pairs = zip(games["first"].tolist(), games["second"].tolist(), strict=True)
        return [([[one], [other]], rank) for (one, other), rank in zip(pairs, ranks, strict=True)]
    teams = games["player"].reshape(-1, 2, size).tolist()
    return list(zip(teams, games["rank"].reshape(-1, 2 * size)[:, ::size].tolist(), strict=True))


CASES: dict[str, Callable[[Games], Callable[[], None]]] = {
    "riix elo": riix("elo.Elo"),
    "riix glicko": riix("glicko.Glicko"),
    "riix glicko2": riix("glicko2.Glicko2"),
    "riix trueskill": riix("trueskill.TrueSkill"),
    "openskill": openskill,
    "trueskill": trueskill,
    "elote": elote,
}


def first_games(path: str, number: int) -> Games:
    """The first games of the file, and what it says of them all."""
    whole = dict(np.load(path))
    size = int(whole["team_size"])
    cut = {"player": 2 * size * number, "rank": 2 * size * number}
    columns = {
        name: column[: cut.get(name, number)] for name, column in whole.items() if column.ndim
    }
    return {**columns, "players": int(whole["players"]), "team_size": size}


def main(case: str, path: str, number: str) -> None:
    """Rate and print."""
    play = CASES[case](first_games(path, int(number)))
    began = time.perf_counter()
    play()
    print(time.perf_counter() - began)


if __name__ == "__main__":
    main(*sys.argv[1:])
