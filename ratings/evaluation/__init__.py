"""How well predictions came true. Pure: arrays in, figures out."""

from ratings.evaluation.figures import Bin, Report, accuracy, brier, calibration, log_loss

__all__ = ["Bin", "Report", "accuracy", "brier", "calibration", "log_loss"]
