"""Addresses of the REST API, version 1."""

from django.urls import path, re_path

from api import views

app_name = "api"
urlpatterns = [
    path("", views.IndexView.as_view(), name="index"),
    path("schema", views.SchemaView.as_view(), name="schema"),
    path("docs/", views.DocsView.as_view(), name="docs"),
    path("problems/", views.problems, name="problems"),
    path("problems/<slug:code>", views.problem, name="problem"),
    path("games", views.GamesView.as_view(), name="games"),
    path("ladders", views.LaddersView.as_view(), name="ladders"),
    path("ladders/<slug:slug>", views.LadderView.as_view(), name="ladder"),
    path("ladders/<slug:slug>/leaderboard", views.BoardView.as_view(), name="leaderboard"),
    path("ladders/<slug:slug>/matches", views.LadderMatchesView.as_view(), name="ladder-matches"),
    path("players", views.PlayersView.as_view(), name="players"),
    path("players/<int:player_id>", views.PlayerView.as_view(), name="player"),
    path("players/<int:player_id>/ratings", views.RatingsView.as_view(), name="player-ratings"),
    path("players/<int:player_id>/history", views.HistoryView.as_view(), name="player-history"),
    path(
        "players/<int:player_id>/matches",
        views.PlayerMatchesView.as_view(),
        name="player-matches",
    ),
    path(
        "players/by-external-id/<path:external_id>/tokens",
        views.ServedTokensView.as_view(),
        name="served-tokens",
    ),
    path(
        "players/by-external-id/<path:external_id>",
        views.ServedPlayerView.as_view(),
        name="served-player",
    ),
    path("matches/<int:match_id>", views.MatchView.as_view(), name="match"),
    path("matches", views.MatchesView.as_view(), name="matches"),
    path("matches/<int:match_id>/reports", views.ReportsView.as_view(), name="match-reports"),
    path("matches/<int:match_id>/leave", views.LeaveView.as_view(), name="match-leave"),
    path("matches/<int:match_id>/result", views.ResultView.as_view(), name="match-result"),
    path("matches/<int:match_id>/abort", views.AbortView.as_view(), name="match-abort"),
    path("results", views.ResultsView.as_view(), name="results"),
    path("queues", views.QueuesView.as_view(), name="queues"),
    path("queues/<slug:slug>", views.QueueView.as_view(), name="queue"),
    path("tickets", views.TicketsView.as_view(), name="tickets"),
    path("tickets/heartbeat", views.HeartbeatsView.as_view(), name="tickets-heartbeat"),
    path("tickets/<int:ticket_id>", views.TicketView.as_view(), name="ticket"),
    path("tickets/<int:ticket_id>/accept", views.AcceptView.as_view(), name="ticket-accept"),
    path("tickets/<int:ticket_id>/cancel", views.CancelView.as_view(), name="ticket-cancel"),
    path("tickets/<int:ticket_id>/decline", views.DeclineView.as_view(), name="ticket-decline"),
    path(
        "tickets/<int:ticket_id>/heartbeat", views.HeartbeatView.as_view(), name="ticket-heartbeat"
    ),
    path("parties", views.PartiesView.as_view(), name="parties"),
    path("parties/join", views.PartyJoinView.as_view(), name="party-join"),
    path("parties/<int:party_id>", views.PartyView.as_view(), name="party"),
    path("parties/<int:party_id>/leave", views.PartyLeaveView.as_view(), name="party-leave"),
    path("parties/<int:party_id>/remove", views.PartyRemoveView.as_view(), name="party-remove"),
    path("parties/<int:party_id>/lead", views.PartyLeadView.as_view(), name="party-lead"),
    path("me", views.MeView.as_view(), name="me"),
    path("me/avoided", views.AvoidedView.as_view(), name="avoided"),
    path("me/avoided/<int:player_id>", views.AvoidedPlayerView.as_view(), name="avoided-player"),
    path("events", views.EventsView.as_view(), name="events"),
    path("stream", views.StreamView.as_view(), name="stream"),
    # Every address that is none of these: keep it last.
    re_path(r"^.*$", views.UnknownView.as_view(), name="unknown"),
]
