"""How well rating systems foresee games. Pure: no framework, no database, no clock.

from ratings.evaluation import Setup, foresee, read_games, tune

with open("games.csv", encoding="utf-8") as lines:
    played = read_games(lines)
found = tune(played.first(0.5), Setup.of("glicko", {}, 30.0), ["days_to_forget"])
print(foresee(played, found.setup).later(0.5).report().log_loss)
"""

from ratings.evaluation.axes import usual_names
from ratings.evaluation.likely import likely_draws_and_side
from ratings.evaluation.pairs import pair_accuracy, pairs_of
from ratings.evaluation.played_games import Played, UnfitError
from ratings.evaluation.predict import Foreseen, Schedule
from ratings.evaluation.prediction_metrics import (
    Bin,
    Report,
    accuracy,
    brier,
    calibration,
    log_loss,
)
from ratings.evaluation.reading import FileError, read_games
from ratings.evaluation.setups import Setup, known_parameters
from ratings.evaluation.tune import Tried, Tuned, foresee, tune

__all__ = [
    "Bin",
    "FileError",
    "Foreseen",
    "Played",
    "Report",
    "Schedule",
    "Setup",
    "Tried",
    "Tuned",
    "UnfitError",
    "accuracy",
    "brier",
    "calibration",
    "foresee",
    "known_parameters",
    "likely_draws_and_side",
    "log_loss",
    "pair_accuracy",
    "pairs_of",
    "read_games",
    "tune",
    "usual_names",
]
