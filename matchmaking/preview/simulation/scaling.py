"""Crowds on the scale of a rating system."""

from dataclasses import replace

from matchmaking.pairing.settings.defaults import Scale
from matchmaking.preview.simulation.population import Crowd
from ratings.systems.protocol import System

__all__ = ["is_usual", "on_scale_of"]

_NAMES = ("rating", "spread", "deviation")
_USUAL = Crowd()


def is_usual(crowd: Crowd) -> bool:
    """Whether the ratings of the crowd are those by default."""
    return all(getattr(crowd, name) == getattr(_USUAL, name) for name in _NAMES)


def on_scale_of(system: System | None, crowd: Crowd) -> Crowd:
    """The crowd with the ratings that a crowd has by default, as they are on the scale of the system."""
    scale = Scale.of(system)
    return replace(
        crowd,
        rating=scale.ratings((_USUAL.rating,))[0],
        spread=scale.points(_USUAL.spread),
        deviation=scale.points(_USUAL.deviation),
    )
