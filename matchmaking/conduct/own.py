"""What a player is told of its own conduct: points, why, until when, and what would follow."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import log2

from accounts.models import User
from foundation import clock
from matchmaking.conduct.rules import rules_of, steps_of
from matchmaking.conduct.standing import Standing, standing_of
from matchmaking.conduct.steps import Steps, faded
from matchmaking.models import Conduct, ConductRules, Offence, OffenceKind
from ratings.models import Player

__all__ = ["REPORTED_KINDS", "OwnConduct", "OwnOffence", "conduct_of", "conducts_of"]

# What somebody has reported.
REPORTED_KINDS = (OffenceKind.MANNERS, OffenceKind.REPORTED)

_MOST = 50


@dataclass(frozen=True, slots=True)
class OwnOffence:
    """An offence as its player sees it: who reported or decided is not told.

    now    what is left of its points
    state  of the appeal; empty where there is none
    """

    offence: Offence
    now: float

    @property
    def match(self) -> int | None:
        """The match in which it happened. None also where somebody has reported it: of two who met, the match would say
        who that was.
        """
        return None if self.offence.kind in REPORTED_KINDS else self.offence.match_id

    @property
    def state(self) -> str:
        """State of the appeal against it."""
        appeal = getattr(self.offence, "appeal", None)
        return "" if appeal is None else str(appeal.state)

    @property
    def may_appeal(self) -> bool:
        """Whether it counts, and nobody has appealed against it yet."""
        return self.offence.taken_back_at is None and not self.state


@dataclass(frozen=True, slots=True)
class OwnConduct:
    """How a player stands, and why.

    given      what an operator has added to the points, of which something is left by now
    like_until when it meets everybody again from the start; None: it does
    clean_at   when nothing follows from its points any more; None: nothing does
    """

    player: Player
    standing: Standing
    rules: ConductRules
    offences: list[OwnOffence]
    given: float
    like_until: datetime | None
    clean_at: datetime | None


def conduct_of(player: Player) -> OwnConduct:
    """Of one player. Some five queries, whatever there is."""
    now, rules = clock.now(), rules_of(player.game_id)
    standing, steps = standing_of([player.pk], now)[player.pk], steps_of(rules)
    given = Conduct.objects.filter(player=player, score__gt=0).first()
    rows = Offence.objects.filter(player=player).select_related("appeal")
    offences = [
        OwnOffence(one, _left(one, now, steps)) for one in rows.order_by("-at", "-pk")[:_MOST]
    ]
    return OwnConduct(
        player=player,
        standing=standing,
        rules=rules,
        offences=offences,
        given=faded(given.score, given.as_of, now, steps.half_life_days) if given else 0.0,
        like_until=_falls_to(steps.like_from, standing.score, now, steps),
        clean_at=_falls_to(steps.note_from, standing.score, now, steps),
    )


def conducts_of(user: User) -> list[OwnConduct]:
    """Of every player of an account, by game."""
    players = Player.objects.filter(user=user, merged_into=None).select_related("game")
    return [conduct_of(player) for player in players.order_by("game__name", "pk")]


def _left(one: Offence, now: datetime, steps: Steps) -> float:
    return 0.0 if one.taken_back_at else faded(one.points, one.at, now, steps.half_life_days)


def _falls_to(bound: float, score: float, now: datetime, steps: Steps) -> datetime | None:
    """When points that only fade are below a bound; None where they are."""
    if score < bound:
        return None
    return now + timedelta(days=steps.half_life_days * log2(score / bound), seconds=1)
