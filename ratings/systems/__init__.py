"""Rating systems as pure functions over arrays: no framework, no clock, no global state.

from ratings.systems import Duels, create

glicko = create("glicko", deviation_min=40)
before = glicko.initial(4)
duels = Duels(first=[0, 0, 0], second=[1, 2, 3], score=[1.0, 0.5, 0.0])
after = glicko.rate(glicko.age(before, periods=1.5), duels)
chance = glicko.expected(after, first=[0], second=[3])
"""

from ratings.systems.base import DrawsAndSideSystem, PeriodSystem, Results, System
from ratings.systems.changes import Changes, Sums
from ratings.systems.contests import Contests
from ratings.systems.declaration import Declaration
from ratings.systems.explanation import MatchChange
from ratings.systems.glicko import forgetting_constant
from ratings.systems.logistic import expected_score, rating_difference
from ratings.systems.parameters import Parameter, ParameterError, Value
from ratings.systems.performance import (
    TRUSTED_GAMES,
    Performance,
    expected_total,
    performance_rating,
    rate_total,
)
from ratings.systems.registry import (
    REFERENCE_SYSTEM,
    USUAL_FOR_DUELS,
    USUAL_FOR_EVENTS,
    USUAL_FOR_TEAMS,
    UnknownSystemError,
    create,
    declaration_of,
    names,
    parameters_of,
)
from ratings.systems.results import Duels
from ratings.systems.state import Ratings, Status

__all__ = [
    "REFERENCE_SYSTEM",
    "TRUSTED_GAMES",
    "USUAL_FOR_DUELS",
    "USUAL_FOR_EVENTS",
    "USUAL_FOR_TEAMS",
    "Changes",
    "Contests",
    "Declaration",
    "DrawsAndSideSystem",
    "Duels",
    "MatchChange",
    "Parameter",
    "ParameterError",
    "Performance",
    "PeriodSystem",
    "Ratings",
    "Results",
    "Status",
    "Sums",
    "System",
    "UnknownSystemError",
    "Value",
    "create",
    "declaration_of",
    "expected_score",
    "expected_total",
    "forgetting_constant",
    "names",
    "parameters_of",
    "performance_rating",
    "rate_total",
    "rating_difference",
]
