"""How well rating systems predict games. Pure: no framework, no database, no clock.

from ratings.evaluation import Setup, predict_games, read_games, tune

with open("games.csv", encoding="utf-8") as lines:
    played = read_games(lines)
found = tune(played.first(0.5), Setup.of("glicko", {}, 30.0), ["days_to_forget"])
print(predict_games(played, found.setup).later(0.5).report().log_loss)
"""

from ratings.evaluation.axes import usual_names
from ratings.evaluation.pairs import pairs_of
from ratings.evaluation.played_games import Played, UnfitError
from ratings.evaluation.predict import GamePredictions, Schedule
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
from ratings.evaluation.tune import Tried, Tuned, likely_draws_and_side, predict_games, tune

__all__ = [
    "Bin",
    "FileError",
    "GamePredictions",
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
    "known_parameters",
    "likely_draws_and_side",
    "log_loss",
    "pairs_of",
    "predict_games",
    "read_games",
    "tune",
    "usual_names",
]
