"""Duels by frags one after the other, as `waves` wants them."""

from collections.abc import Iterable

from ratings.systems.arrays import Ints
from ratings.systems.frags.game import player_of_one, rate_games
from ratings.systems.frags.parameters import FragsParameters
from ratings.systems.points import DuelStream, Game, Played, Running, statuses

__all__ = ["FragsStream"]


class FragsStream(DuelStream[FragsParameters]):
    """The score of a duel is the strength of play of its first player. Sides are not looked at."""

    def play_wave(self, games: Ints, players: Ints) -> None:
        table, progress = self.table, self.table.progress.take(players)
        status = statuses(progress, self.parameters.established_after)
        before, strength = table.value.take(players), self.score.take(games)
        figures = rate_games(self.parameters, before, strength)
        table.value[players] = figures[3]
        table.count(players, progress, status, all_count=self.all_count)
        if self.journal is not None:
            self.journal.write(games, figures, status)

    def play_in_order(
        self, running: Running, games: Iterable[Game], log: list[Played] | None
    ) -> None:
        value, progress = running
        needed, play = self.parameters.established_after, player_of_one(self.parameters)
        for a, b, strength, _side in games:
            own, other = progress[a], progress[b]
            status, rival = (own >= 0) + (own >= needed), (other >= 0) + (other >= needed)
            figures = play(value[a], value[b], strength)
            value[a], value[b] = figures[6], figures[7]
            if log is not None:
                log.append((*figures, status, rival))
            progress[a] = (own if status else ~own) + (self.all_count or rival == 2)
            progress[b] = (other if rival else ~other) + (self.all_count or status == 2)
