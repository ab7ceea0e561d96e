"""What a queue that is not there yet begins with."""

from collections.abc import Mapping
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from matchmaking.models import Queue
from matchmaking.pairing.settings import Settings
from matchmaking.pairing.settings.defaults import Usual, usual_for
from matchmaking.sweep.pairing_context import PairingContext
from ratings.models import Ladder

__all__ = ["Expected", "begin_as_suits", "usual_of", "widening_for"]


class Expected(models.TextChoices):
    """How many players an operator expects to search at the same time."""

    FEW = "few", _("a handful")
    SOME = "some", _("some dozens")
    MANY = "many", _("hundreds")


# Few players have to take whom they get; among many, somebody alike is there soon.
_TIMES = {Expected.FEW: 2.0, Expected.SOME: 1.0, Expected.MANY: 0.5}


def usual_of(ladder: Ladder) -> Usual:
    """What suits the scale of a ladder's ratings, and its teams."""
    plan = PairingContext.of(Queue(ladder=ladder)).plan
    return usual_for(plan.system, is_duel=plan.is_duel)


def begin_as_suits(queue: Queue, given: Mapping[str, Mapping[str, Any]]) -> None:
    """Set gaps and settings of a queue that is not saved yet: those `given`, and else what suits its ladder.

    given  parameters of settings by section and name, as `Settings.build` takes them, which has taken them

    Raises ParameterError where they do not fit the ladder's teams.
    """
    usual = usual_of(queue.ladder)
    queue.gap_start, queue.gap_per_second = usual.rules.gap_start, usual.rules.gap_per_second
    values = usual.settings.as_dict()
    for section, chosen in given.items():
        values[section].update(chosen)
    settings = Settings.build(queue.strategy, values)
    settings.check_team(queue.ladder.team_size)
    queue.settings = settings.different()


def widening_for(
    usual: Usual, expected: Expected
) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
    """Columns and settings of a queue whose gaps suit so many players, in points of the scale that `usual` is on.

    In teams the spread is as wide as the gap: neither forbids what the other allows.
    """
    rules, teams, times = usual.rules, usual.settings.teams, _TIMES[expected]
    gaps = {"gap_start": rules.gap_start, "gap_per_second": rules.gap_per_second}
    spread = {
        "spread_start": teams.spread_start,
        "spread_per_second": teams.spread_per_second,
    }
    chosen = [
        {name: float(f"{points * times:.2g}") for name, points in one.items()}
        for one in (gaps, spread)
    ]
    return chosen[0], {"teams": chosen[1]}
