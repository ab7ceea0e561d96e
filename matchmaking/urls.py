"""Addresses of the pages on which players search and play."""

from django.urls import path

from matchmaking.pages.views.alerts import alert_me, end_alerts
from matchmaking.pages.views.avoid_list import avoid, avoided, stop_avoiding
from matchmaking.pages.views.conduct import appeal, away, back, my_conduct
from matchmaking.pages.views.disputes import call_operator, state
from matchmaking.pages.views.feedback import give, given, withdraw
from matchmaking.pages.views.matches import play_match, report
from matchmaking.pages.views.new_player import name_player
from matchmaking.pages.views.parties import (
    find_party,
    hand_over,
    invitation,
    join_party,
    leave_party,
    open_party,
    remove_member,
)
from matchmaking.pages.views.queues import ongoing, own_matters, play, queue_page
from matchmaking.pages.views.searches import (
    accept,
    cancel,
    decline,
    keep_options,
    search_match,
    still_there,
    want_partner,
)
from matchmaking.pages.views.when_to_play import enter_round, quit_round, when_to_play

urlpatterns = [
    path("", play, name="play"),
    path("ongoing/", ongoing, name="ongoing"),
    path("mine/", own_matters, name="own-matters"),
    path("matches/<id:pk>/", play_match, name="play-match"),
    path("matches/<id:pk>/report/", report, name="report"),
    path("matches/<id:pk>/statement/", state, name="state-dispute"),
    path("matches/<id:pk>/call/", call_operator, name="call-operator"),
    path("tickets/<id:pk>/cancel/", cancel, name="cancel-search"),
    path("tickets/<id:pk>/still-there/", still_there, name="still-there"),
    path("tickets/<id:pk>/partner/", want_partner, name="want-partner"),
    path("tickets/<id:pk>/accept/", accept, name="accept-offer"),
    path("tickets/<id:pk>/decline/", decline, name="decline-offer"),
    path("party/", find_party, name="find-party"),
    path("party/<slug:code>/", invitation, name="invitation"),
    path("party/<slug:code>/join/", join_party, name="join-party"),
    path("parties/<id:pk>/leave/", leave_party, name="leave-party"),
    path("parties/<id:pk>/remove/", remove_member, name="remove-member"),
    path("parties/<id:pk>/lead/", hand_over, name="hand-over"),
    path("conduct/", my_conduct, name="my-conduct"),
    path("conduct/<id:pk>/appeal/", appeal, name="appeal-offence"),
    path("matches/<id:pk>/away/", away, name="match-away"),
    path("matches/<id:pk>/back/", back, name="match-back"),
    path("avoided/", avoided, name="avoided"),
    path("avoided/<id:pk>/", avoid, name="avoid"),
    path("avoided/<id:pk>/stop/", stop_avoiding, name="stop-avoiding"),
    path("feedback/", given, name="feedback"),
    path("feedback/<id:pk>/", give, name="give-feedback"),
    path("feedback/<id:pk>/delete/", withdraw, name="withdraw-feedback"),
    # Queues have a word of their own: one may be named "matches" or "tickets".
    path("in/<slug:slug>/", queue_page, name="queue"),
    path("in/<slug:slug>/when/", when_to_play, name="when-to-play"),
    path("rounds/<id:pk>/join/", enter_round, name="enter-round"),
    path("rounds/<id:pk>/leave/", quit_round, name="quit-round"),
    path("in/<slug:slug>/alert/", alert_me, name="alert-me"),
    path("in/<slug:slug>/alert/end/", end_alerts, name="end-alerts"),
    path("in/<slug:slug>/search/", search_match, name="search-match"),
    path("in/<slug:slug>/options/", keep_options, name="search-options"),
    path("in/<slug:slug>/party/", open_party, name="open-party"),
    path("in/<slug:slug>/player/", name_player, name="name-player"),
]
