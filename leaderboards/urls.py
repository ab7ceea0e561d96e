"""Addresses of the public pages."""

from django.urls import path

from foundation.postgresql.transactions import from_one_snapshot
from leaderboards import views
from leaderboards.robots import views as robots

# Each page is read as of one moment: a replay that takes its place meanwhile leaves none of them empty or mixed.
urlpatterns = [
    path("", views.home, name="home"),
    path("games/<slug:slug>/", views.game, name="game"),
    path("games/<slug:slug>/behaviour/", views.behaviour, name="behaviour"),
    path("games/<slug:slug>/servers/", views.servers, name="servers"),
    path("games/<slug:slug>/servers/<slug:server>/", views.server, name="server"),
    path("games/<slug:slug>/statistics/", views.statistics, name="statistics"),
    path("games/<slug:slug>/static-ranking/", views.static_ranking, name="static-ranking"),
    path("ladders/<slug:slug>/", views.leaderboard, name="leaderboard"),
    path("players/<id:pk>/", views.player, name="player"),
    path("matches/<id:pk>/", views.match, name="match"),
    path("matches/mine/", from_one_snapshot(views.own_matches), name="own-matches"),
    path("overview/", from_one_snapshot(views.own_overview), name="own-overview"),
    path("search/", from_one_snapshot(views.search), name="search"),
    path("live/", views.live, name="live"),
    path("robots.txt", robots.robots, name="robots"),
    path("sitemap.xml", robots.sitemap, name="sitemap"),
    path("sitemaps/site.xml", robots.sitemap_of_site, name="sitemap-of-site"),
    path("sitemaps/players-<int:number>.xml", robots.sitemap_of_players, name="sitemap-of-players"),
    path("manifest.webmanifest", robots.manifest, name="manifest"),
    path("favicon.ico", robots.favicon, name="favicon"),
]
