"""Elo game by game, written as the rules read, to compare the fast computation with."""

from dataclasses import dataclass, field

from ratings.systems import Duels, Ratings

NEW, PROVISIONAL, ESTABLISHED = 0, 1, 2


@dataclass
class Player:
    value: float
    games: int
    counted: int


@dataclass
class Rules:
    parameters: dict[str, object]
    players: list[Player] = field(default_factory=list)

    def number(self, name: str) -> float:
        value = self.parameters[name]
        assert isinstance(value, int | float)
        return value

    def status(self, player: Player) -> int:
        if player.games == 0:
            return NEW
        return ESTABLISHED if player.counted >= self.number("established_after") else PROVISIONAL

    def k(self, rating: float, own: int, other: int) -> float:
        names = {NEW: "k_new", PROVISIONAL: "k_provisional", ESTABLISHED: "k_established"}
        k = self.number(names[own])
        if own == ESTABLISHED != other and self.parameters["halve_against_provisional"]:
            k /= 2
        return k * self.share(rating)

    def share(self, rating: float) -> float:
        if self.parameters["k_by_rating"] == "step":
            if rating >= self.number("step_upper"):
                return self.number("step_high_share")
            is_middle = rating >= self.number("step_lower")
            return self.number("step_middle_share") if is_middle else 1.0
        if self.parameters["k_by_rating"] == "edges":
            low, high = self.number("edge_lower"), self.number("edge_upper")
            middle, half = (low + high) / 2, (high - low) / 2
            height = max(0.0, 1 - ((rating - middle) / half) ** 2)
            least = self.number("edge_share")
            return least + (1 - least) * height
        return 1.0

    def expected(self, own: float, other: float) -> float:
        return float(1 / (1 + 10 ** ((other - own) / (2 * self.number("class_interval")))))

    def play(self, a: Player, b: Player, score: float, *, all_count: bool) -> None:
        before = {id(a): a.value, id(b): b.value}
        status = {id(a): self.status(a), id(b): self.status(b)}
        for stage in (NEW, PROVISIONAL, ESTABLISHED):
            seen = {id(a): a.value, id(b): b.value}
            for own, other, reached in ((a, b, score), (b, a, 1 - score)):
                if status[id(own)] == stage:
                    k = self.k(before[id(own)], stage, status[id(other)])
                    surprise = reached - self.expected(before[id(own)], seen[id(other)])
                    own.value = max(before[id(own)] + k * surprise, 0.0)
        for own, other in ((a, b), (b, a)):
            own.games += 1
            own.counted += all_count or status[id(other)] == ESTABLISHED


def play_all(
    parameters: dict[str, object], ratings: Ratings, duels: Duels, *, all_count: bool
) -> list[Player]:
    """Play every game in order; the players as they stand after the last one."""
    columns = (ratings.value.tolist(), ratings.games.tolist(), ratings.counted.tolist())
    rules = Rules(parameters, [Player(*row) for row in zip(*columns, strict=True)])
    for a, b, score in zip(
        duels.first.tolist(), duels.second.tolist(), duels.score.tolist(), strict=True
    ):
        rules.play(rules.players[a], rules.players[b], score, all_count=all_count)
    return rules.players
