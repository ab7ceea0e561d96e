"""Part of a match in TrueSkill: how far rules for minutes leave ratings from true skills.

Four against four, teams drawn by lot, everybody starting as a new player. In each match one player
(the subject) or everybody is there for a part of it. A rule says what the subject's seat is thought to
perform and how far the subject moves; the bias is how much too high the subjects stand after all rounds,
less how much too high everybody else stands.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks.figure import Figure
from ratings.systems.arrays import Bools, Floats, Ints
from ratings.systems.trueskill import TrueSkillParameters
from ratings.systems.trueskill.partial_play import LEAST_LEARNED
from ratings.systems.trueskill.prediction import margin_per_root
from ratings.systems.trueskill.two_teams import settle_two

NAME = "partial-play"
NEEDS_SERVERS = False

SEATS, ROWS = 4, 5  # a team has one row more than seats, for a substitute
SUBJECTS, ROUNDS = 60, 600  # of each true skill, each in a match of their own each round
TRUTHS = (20.0, 25.0, 30.0)
MEAN, SPREAD = 25.0, 5.0  # true skills of the others
SHARE = 0.25  # of the match, for which subjects are there
SETTINGS = TrueSkillParameters(draw_probability=0.0)
NOISE = SETTINGS.beta**2
STRANGER = SETTINGS.deviation_start**2 + NOISE


@dataclass(frozen=True, slots=True, eq=False)
class LineUp:
    """Both teams of each match, arrays of shape (matches, 2, ROWS): value, variance of skill, and the
    share each was there; 0 stands for an empty row."""

    value: Floats
    variance: Floats
    share: Floats

    @property
    def absent(self) -> Floats:
        """The share of each row for which the player was away; none of an empty row."""
        return np.where(self.share > 0, 1 - self.share, 0.0)

    @property
    def open(self) -> Floats:
        """Seats of each team that nobody filled: shape (matches, 2, 1)."""
        empty: Floats = np.maximum(SEATS - self.share.sum(axis=2, keepdims=True), 0.0)
        return empty


# What a rule says: mean and variance of each team (matches, 2), and of each row the factors of its
# step and of the variance it loses.
Said = tuple[Floats, Floats, Floats, Floats]
Rule = Callable[[LineUp], Said]


def nothing(line_up: LineUp) -> Said:
    """The share alone: a seat left empty performs 0."""
    share = line_up.share
    mean, variance = share * line_up.value, share**2 * (line_up.variance + NOISE)
    return mean.sum(axis=2), variance.sum(axis=2), share, share**2


def start_each(line_up: LineUp) -> Said:
    """Filled with a new player, for each player who was away."""
    mean, variance, step, drop = nothing(line_up)
    away = line_up.absent
    filled = mean + away.sum(axis=2) * SETTINGS.start
    return filled, variance + (away**2).sum(axis=2) * STRANGER, step, drop


def start_seat(line_up: LineUp) -> Said:
    """Filled with a new player, once for each seat."""
    mean, variance, step, drop = nothing(line_up)
    empty = line_up.open[..., 0]
    return mean + empty * SETTINGS.start, variance + empty**2 * STRANGER, step, drop


def mates(line_up: LineUp) -> Said:
    """Filled with the mean of those who were there, once for each seat."""
    mean, variance, step, drop = nothing(line_up)
    there = line_up.share.sum(axis=2)
    whole = (there + line_up.open[..., 0]) / there
    return mean * whole, variance * whole**2, step, drop


def own(floor: float) -> Rule:
    """Filled with the player's own mean, once for each seat; a player learns by the share of presence,
    and by `floor` at least."""

    def rule(line_up: LineUp) -> Said:
        away = line_up.absent
        total = away.sum(axis=2, keepdims=True)
        filled = np.divide(line_up.open, total, out=np.zeros_like(total), where=total > 0)
        stands = line_up.share + away * filled
        mean, variance = stands * line_up.value, stands**2 * (line_up.variance + NOISE)
        learned = np.maximum(line_up.share, floor * stands)
        return mean.sum(axis=2), variance.sum(axis=2), learned, learned * stands

    return rule


RULES: dict[str, Rule] = {
    "nothing (before)": nothing,
    "a new player, for each player": start_each,
    "a new player": start_seat,
    "the team's mean": mates,
    "own mean": own(0.0),
    "own mean, floor 0.75 (chosen)": own(LEAST_LEARNED),
    "own mean, all of it": own(1.0),
}
FLOORS = (0.0, 0.25, 0.5, 0.75, 1.0)
BRIEF = 0.05  # the share of the match for which somebody is there who is there to gain by it


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """What decides results, and who is there.

    stand_in    skill of whoever plays the absent share; None: results do not ask for minutes
    is_listed   a player of the pool stands in, and is in the result beside the player
    is_random   a coin decides
    quits       the subject is away only from matches that the team loses
    joins       the subject plays three matches whole, then joins one late if the team wins it
    """

    stand_in: float | None = None
    is_listed: bool = False
    is_random: bool = False
    quits: bool = False
    joins: bool = False


WORLDS = {
    "a coin decides": World(is_random=True),
    "full skill decides": World(),
    "minutes decide, a stranger of 25 stands in": World(stand_in=25.0),
    "minutes decide, another player stands in": World(is_listed=True),
    "minutes decide, an empty seat is worth 20": World(stand_in=20.0),
    "minutes decide, an empty seat is worth 0": World(stand_in=0.0),
}
TRICKS = {
    "leaves what is about to be lost": World(quits=True),
    "joins one match in four, about to be won": World(joins=True),
}


def run() -> Iterator[Figure]:
    """The bias of each rule in each world, and what a floor does to leaving and joining."""
    for world_name, world in WORLDS.items():
        for everybody in (False,) if world.is_listed else (False, True):
            who = "everybody partial" if everybody else "one partial"
            for rule_name, rule in RULES.items():
                bias = play(rule, world, everybody=everybody)
                yield from _figures(f"partial-play: {world_name}, {who}: {rule_name}", bias)
    for trick_name, trick in TRICKS.items():
        for floor in FLOORS:
            bias = play(own(floor), trick, share=BRIEF)
            yield from _figures(f"partial-play: {trick_name}: own mean, floor {floor}", bias)


def _figures(name: str, bias: Floats) -> Iterator[Figure]:
    for truth, of_truth in zip(TRUTHS, bias, strict=True):
        mean = round(float(of_truth.mean()), 2)
        yield Figure(name=f"{name}: bias at {truth:.0f}", value=mean, unit="points")
    error = float(bias.std(axis=1).max()) / SUBJECTS**0.5
    yield Figure(name=f"{name}: standard error", value=round(error, 2), unit="points")


def play(
    rule: Rule,
    world: World,
    *,
    everybody: bool = False,
    share: float = SHARE,
    subjects: int = SUBJECTS,
    rounds: int = ROUNDS,
) -> Floats:
    """How much too high each subject stands: shape (truths, subjects)."""
    rng = np.random.default_rng(20261122)
    matches = subjects * len(TRUTHS)
    others = matches * 2 * ROWS - matches
    skill = np.append(np.repeat(TRUTHS, subjects), rng.normal(MEAN, SPREAD, others))
    if world.is_random:
        skill[:] = MEAN
    value = np.full(len(skill), SETTINGS.start)
    variance = np.full(len(skill), SETTINGS.deviation_start**2)
    for number in range(rounds):
        seated = _draw(rng, matches, others)
        shares = _shares(rng, matches, everybody, share, world)
        won = _decide(rng, world, skill[seated], shares)
        if world.quits:
            shares[won, 0, 0] = 1.0
        if world.joins and number % 4:
            shares[:, 0, 0] = 1.0
        elif world.joins:  # nobody is rated for a match without joining it
            seated, shares, won = seated[won], shares[won], won[won]
        grown = variance[seated] + SETTINGS.tau**2
        step, drop = _judge(rule(LineUp(value[seated], grown, shares)), won)
        value[seated] += grown * step
        variance[seated] = np.where(shares > 0, grown * (1 - grown * drop), variance[seated])
    off = value - skill
    bias: Floats = off[:matches] - off[matches:].mean()
    return bias.reshape(len(TRUTHS), subjects)


def _draw(rng: np.random.Generator, matches: int, others: int) -> Ints:
    """Who sits where: the subject of each match in the first row of its first team."""
    rest = matches + rng.permutation(others).reshape(matches, 2 * ROWS - 1)
    seated = np.concatenate((np.arange(matches)[:, None], rest), axis=1)
    return seated.reshape(matches, 2, ROWS)


def _shares(
    rng: np.random.Generator, matches: int, everybody: bool, share: float, world: World
) -> Floats:
    shares = np.ones((matches, 2, ROWS))
    if everybody:
        shares[:] = rng.choice((0.25, 0.5, 0.75, 1.0), shares.shape)
    shares[:, 0, 0] = share
    shares[:, :, SEATS:] = 0.0
    if world.is_listed:
        shares[:, 0, SEATS] = 1 - share
    return shares


def _decide(rng: np.random.Generator, world: World, skill: Floats, shares: Floats) -> Bools:
    """Whether the first team of each match won."""
    noise = rng.normal(0, SETTINGS.beta, (len(skill), 2, SEATS)).sum(axis=2)
    there = shares if world.stand_in is not None or world.is_listed else np.ceil(shares)
    strength = (there * skill).sum(axis=2)
    if world.stand_in is not None:
        strength += np.maximum(SEATS - there.sum(axis=2), 0.0) * world.stand_in
    if world.is_random:
        strength = np.zeros_like(strength)
    won: Bools = np.diff(strength + noise, axis=1)[:, 0] < 0
    return won


def _judge(said: Said, won: Bools) -> tuple[Floats, Floats]:
    """(step, drop) of every row."""
    mean, spread, step, drop = said
    margin = np.full(len(won), margin_per_root(SETTINGS) * (2 * SEATS) ** 0.5)
    outcome = np.where(won, 1.0, -1.0)
    moved, lost = settle_two(mean[:, 0] - mean[:, 1], spread.sum(axis=1), margin, outcome)
    both = np.stack((moved, -moved), axis=1)[..., None]
    return step * both, drop * lost[:, None, None]
