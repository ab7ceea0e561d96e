"""The nouns of rating, one a file."""

from ratings.models.behaviour import (
    LONGEST_FEATURE,
    MOST_FEATURES,
    Behaviour,
    BehaviourModel,
    Feature,
)
from ratings.models.connectors import ConnectorKind, ServerConnector
from ratings.models.corrections import Correction, EarlierResult
from ratings.models.drift import DriftDate
from ratings.models.games import Game
from ratings.models.imports import ImportedFile
from ratings.models.ladders import Ladder, Mode, RatedBy
from ratings.models.ledger import DRIFT_KINDS, ChangeKind, RatingChange
from ratings.models.log_counts import LogDuel, LogWeapon
from ratings.models.logs import (
    RATED_KINDS,
    EventKind,
    GameServer,
    LogEvent,
    LogGap,
    LogStretch,
    LogTally,
    MatchLog,
)
from ratings.models.map_games import MapGames
from ratings.models.match_shape import MatchShape
from ratings.models.matches import OPEN, Match, MatchState, Participant
from ratings.models.merges import PlayerMerge
from ratings.models.players import FormerName, Player, PlayerKind, SearchKey, name_columns
from ratings.models.ratings import Rating, Status
from ratings.models.reports import Outcome, Report, Statement
from ratings.models.runs import RatingRun
from ratings.models.sanctions import KeptSuspension, Sanction, SanctionKind, SuspendedFrom
from ratings.models.sides import SideEstimate
from ratings.models.tracks import Facet, ParameterVersion, RatingPeriod, RatingTrack, TrackState

__all__ = [
    "DRIFT_KINDS",
    "LONGEST_FEATURE",
    "MOST_FEATURES",
    "OPEN",
    "RATED_KINDS",
    "Behaviour",
    "BehaviourModel",
    "ChangeKind",
    "ConnectorKind",
    "Correction",
    "DriftDate",
    "EarlierResult",
    "EventKind",
    "Facet",
    "Feature",
    "FormerName",
    "Game",
    "GameServer",
    "ImportedFile",
    "KeptSuspension",
    "Ladder",
    "LogDuel",
    "LogEvent",
    "LogGap",
    "LogStretch",
    "LogTally",
    "LogWeapon",
    "MapGames",
    "Match",
    "MatchLog",
    "MatchShape",
    "MatchState",
    "Mode",
    "Outcome",
    "ParameterVersion",
    "Participant",
    "Player",
    "PlayerKind",
    "PlayerMerge",
    "RatedBy",
    "Rating",
    "RatingChange",
    "RatingPeriod",
    "RatingRun",
    "RatingTrack",
    "Report",
    "Sanction",
    "SanctionKind",
    "SearchKey",
    "ServerConnector",
    "SideEstimate",
    "Statement",
    "Status",
    "SuspendedFrom",
    "TrackState",
    "name_columns",
]
