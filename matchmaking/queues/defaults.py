"""What a queue that is not there yet begins with."""

from collections.abc import Mapping
from typing import Any

from matchmaking.models import Queue
from matchmaking.pairing.settings import Settings
from matchmaking.pairing.settings.defaults import Usual, usual_for
from matchmaking.sweep.pairing_context import PairingContext
from ratings.models import Ladder

__all__ = ["begin_as_suits", "usual_of"]


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
