"""Estimates: what somebody's behaviour says of its rating, with the error that such estimates have."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ratings.behaviour.read import last_features
from ratings.models import BehaviourModel, Ladder, Player
from ratings.models.tracks import public
from ratings.systems.arrays import Floats
from ratings.systems.behaviour import from_json

__all__ = ["Estimate", "estimate", "estimates_of", "models_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A rating foreseen from behaviour.

    rating   in the unit of the ladder's ratings
    error    root of the mean squared error of such estimates, of players that were held out
    matches  on how many of the last matches it rests
    model    what it was worked out by; with what it has learned from
    """

    rating: float
    error: float
    matches: int
    model: BehaviourModel

    @property
    def error_of_start(self) -> float:
        """The error of always the start value, of the same players."""
        return float(self.model.errors["start"])

    @property
    def error_of_mean(self) -> float:
        """That of always the mean rating."""
        return float(self.model.errors["mean"])

    @property
    def ladder(self) -> Ladder:
        """Whose rating it is."""
        return self.model.track.ladder


def models_of(**ladder: object) -> list[BehaviourModel]:
    """The models of ladders by a condition on their tracks, such as `ladder=…`; those that may be shown. One query."""
    models = BehaviourModel.objects.filter(public("track__"), **ladder)
    return list(models.select_related("track__ladder__game").order_by("track", "matches"))


def estimates_of(player: Player) -> list[Estimate]:
    """Of each ladder of the player's game that shows ratings, where a model is in use and its behaviour is told."""
    by_ladder: dict[int, list[BehaviourModel]] = {}
    for model in models_of(track__ladder__game=player.game_id):
        by_ladder.setdefault(model.track.ladder_id, []).append(model)
    found = []
    for ladder_id, models in by_ladder.items():
        rows = last_features(player.pk, ladder_id, models[0].features)
        if (one := _best(models, rows)) is not None:
            found.append(one)
    return found


def estimate(ladder: Ladder, rows: Sequence[dict[str, float]]) -> Estimate | None:
    """The same of behaviour that is given here, one row a match, the oldest first; None where no model is in use."""
    models = models_of(track__ladder=ladder)
    if not models:
        return None
    names = models[0].features
    told = np.array([[row.get(name, np.nan) for name in names] for row in rows], dtype=np.float64)
    return _best(models, told.reshape(len(rows), len(names)))


def _best(models: Sequence[BehaviourModel], rows: Floats) -> Estimate | None:
    """By the model in use that rests on the most matches, of as many as are told."""
    usable = [model for model in models if model.chosen and model.matches <= len(rows)]
    if not usable:
        return None
    model = max(usable, key=lambda one: one.matches)
    last = rows[-model.matches :]
    known = ~np.isnan(last)
    if not known.any():
        return None
    sums, numbers = np.where(known, last, 0.0).sum(axis=0), known.sum(axis=0)
    mean = np.where(numbers > 0, sums / np.maximum(numbers, 1), np.nan)
    learned = from_json(model.learned, features=len(model.features))
    return Estimate(
        rating=float(learned.predict(mean[np.newaxis, :])[0]),
        error=float(model.errors[model.chosen]),
        matches=model.matches,
        model=model,
    )
