"""Match files: read as a stream, checked, staged, and taken in all or nothing."""

from ratings.importing.familiar import Familiarity
from ratings.importing.foresee import Foreseen, foresee
from ratings.importing.import_file import ImportReport, import_matches
from ratings.importing.options import OptionError, read_period
from ratings.importing.problems import FileRejectedError, Problem
from ratings.importing.target_ladder import NewLadder, NewTrack, plan_track

__all__ = [
    "Familiarity",
    "FileRejectedError",
    "Foreseen",
    "ImportReport",
    "NewLadder",
    "NewTrack",
    "OptionError",
    "Problem",
    "foresee",
    "import_matches",
    "plan_track",
    "read_period",
]
