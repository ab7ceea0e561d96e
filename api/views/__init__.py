"""What answers at the addresses of the API. `base.ApiView` is what every endpoint is made of."""

from api.views.arranged_matches import MatchesView
from api.views.avoided import AvoidedPlayerView, AvoidedView
from api.views.base import ApiView
from api.views.boards import BoardView
from api.views.docs import DocsView, SchemaView, problem, problems
from api.views.events import EventsView
from api.views.games import GamesView, LaddersView, LadderView
from api.views.index import IndexView, UnknownView
from api.views.matches import LadderMatchesView, MatchView
from api.views.me import MeView
from api.views.parties import (
    PartiesView,
    PartyJoinView,
    PartyLeadView,
    PartyLeaveView,
    PartyRemoveView,
    PartyView,
)
from api.views.players import (
    HistoryView,
    PlayerMatchesView,
    PlayersView,
    PlayerView,
    RatingsView,
)
from api.views.queues import QueuesView, QueueView
from api.views.reports import AbortView, LeaveView, ReportsView, ResultView
from api.views.results import ResultsView
from api.views.served_players import ServedPlayerView, ServedTokensView
from api.views.stream import StreamView
from api.views.tickets import (
    AcceptView,
    CancelView,
    DeclineView,
    HeartbeatsView,
    HeartbeatView,
    TicketsView,
    TicketView,
)

__all__ = [
    "AbortView",
    "AcceptView",
    "ApiView",
    "AvoidedPlayerView",
    "AvoidedView",
    "BoardView",
    "CancelView",
    "DeclineView",
    "DocsView",
    "EventsView",
    "GamesView",
    "HeartbeatView",
    "HeartbeatsView",
    "HistoryView",
    "IndexView",
    "LadderMatchesView",
    "LadderView",
    "LaddersView",
    "LeaveView",
    "MatchView",
    "MatchesView",
    "MeView",
    "PartiesView",
    "PartyJoinView",
    "PartyLeadView",
    "PartyLeaveView",
    "PartyRemoveView",
    "PartyView",
    "PlayerMatchesView",
    "PlayerView",
    "PlayersView",
    "QueueView",
    "QueuesView",
    "RatingsView",
    "ReportsView",
    "ResultView",
    "ResultsView",
    "SchemaView",
    "ServedPlayerView",
    "ServedTokensView",
    "StreamView",
    "TicketView",
    "TicketsView",
    "UnknownView",
    "problem",
    "problems",
]
