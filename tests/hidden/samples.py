"""What to ask for at addresses with parameters, and what to send. A new address may need a line here."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from api.contract.problems import PROBLEMS
from clans.models import Clan
from events.live import head
from groups.models import Group
from leaderboards.robots.sitemaps import BLOCK
from rooms.models import Room
from tests.hidden.theatre import Theatre

__all__ = ["BODIES", "EXAMPLES", "QUERIES", "VALUES", "first_that_fits"]

Values = Callable[[Theatre], Sequence[object]]
Found = TypeVar("Found")


def _ladders(it: Theatre) -> Sequence[object]:
    return [it.ladder.slug, it.empty.slug]


def _players(it: Theatre) -> Sequence[object]:
    return [
        *(it.people[name].player.pk for name in ("Anna", "Otto")),
        *(one.pk for one in it.crowd),
    ]


def _matches(it: Theatre) -> Sequence[object]:
    return list(it.matches) or [1]


def _tickets(it: Theatre) -> Sequence[object]:
    return [it.ticket(name).pk for name in ("Anna", "Bjoern", "Carla")]


def _parties(it: Theatre) -> Sequence[object]:
    return [it.party.pk]


def _rooms(it: Theatre) -> Sequence[object]:
    return [room.pk for room in Room.objects.filter(game=it.game).order_by("pk")] or [1]


def _groups(it: Theatre) -> Sequence[object]:
    return [group.pk for group in Group.objects.filter(game=it.game).order_by("pk")] or [1]


def _clans(it: Theatre) -> Sequence[object]:
    return [clan.pk for clan in Clan.objects.filter(game=it.game).order_by("pk")] or [1]


def _codes(it: Theatre) -> Sequence[object]:
    return [it.party.code, "NOTHING"]


def _queues(it: Theatre) -> Sequence[object]:
    return [it.queue.slug, "squads"]


def _external_ids(it: Theatre) -> Sequence[object]:
    named = [person.player for person in it.people.values()]
    return [player.external_id for player in (*named, *it.crowd)]


# What to ask for at addresses that begin so; the first line that fits counts.
VALUES: list[tuple[str, Values]] = [
    ("games/", lambda it: [it.game.slug]),
    ("ladders/", _ladders),
    ("players/", _players),
    ("matches/", _matches),
    ("sitemaps/players-", lambda it: [0, it.people["Anna"].player.pk // BLOCK]),
    ("play/matches/", _matches),
    ("play/tickets/", _tickets),
    ("play/party/", _codes),
    ("play/parties/", _parties),
    ("play/avoided/", _players),
    ("play/feedback/", _players),
    ("people/", _players),
    ("groups/new/", lambda it: [it.game.slug]),
    ("groups/suggestions/", lambda it: [it.game.slug]),
    ("groups/random/", lambda it: [it.game.slug]),
    ("groups/", _groups),
    ("clans/new/", lambda it: [it.game.slug]),
    ("clans/of/", _players),
    ("clans/", _clans),
    ("rooms/open/", _ladders),
    ("rooms/", _rooms),
    ("challenges/to/", _players),
    ("challenges/as/", _players),
    ("challenges/link/", lambda it: ["NOTHING"]),
    ("challenges/after/", _matches),
    ("challenges/", lambda it: [1]),
    ("play/in/", _queues),
    ("desk/cases/", lambda it: [1]),
    ("desk/decisions/", lambda it: [1]),
    ("desk/rooms/", _rooms),
    ("desk/", lambda it: ["report", "dispute"]),
    ("reports/", _players),
    ("appeals/", lambda it: [1]),
    ("play/conduct/", lambda it: [1]),
    ("talk/muted/", _players),
    ("play/rounds/", lambda it: [1]),
    ("notifications/unsubscribe/", lambda it: ["nothing"]),
    ("notifications/", lambda it: [1]),
    ("api/v1/me/alerts/", _queues),
    ("api/v1/me/notices/", lambda it: [1]),
    ("api/v1/problems/", lambda it: sorted(PROBLEMS)[:3]),
    ("api/v1/games/", lambda it: [it.game.slug]),
    ("api/v1/ladders/", _ladders),
    ("api/v1/players/by-external-id/", _external_ids),
    ("api/v1/players/", _players),
    ("api/v1/matches/", _matches),
    ("api/v1/queues/", _queues),
    ("api/v1/rounds/", lambda it: [1]),
    ("api/v1/tickets/", _tickets),
    ("api/v1/partner-requests/", lambda it: [1]),
    ("api/v1/parties/", _parties),
    ("api/v1/rooms/", _rooms),
    ("api/v1/groups/", _groups),
    ("api/v1/clans/", _clans),
    ("api/v1/challenges/", lambda it: [1]),
    ("api/v1/servers/", lambda it: ["dm1"]),
    ("api/v1/me/avoided/", _players),
    ("api/v1/me/conduct/", lambda it: [1]),
    ("api/v1/me/feedback/", _players),
    ("api/v1/me/friends/", _players),
    ("api/v1/me/following/", _players),
    ("api/v1/me/blocked/", _players),
    ("api/v1/me/muted/", _players),
    ("api/v1/admin/games/", lambda it: [it.game.slug]),
    ("api/v1/admin/ladders/", _ladders),
    ("api/v1/admin/queues/", _queues),
    ("api/v1/admin/keys/", lambda it: [1]),
    ("accounts/tokens/", lambda it: [1]),
    ("accounts/security/", lambda it: [1]),
    ("accounts/2fa/", lambda it: [1]),
]
# Addresses that are no plain text: one that fits each.
EXAMPLES = {
    "connect/<slug:game>/<slug:server>": "connect/go/dm1",
    "connect/<slug:game>/<slug:server>/<slug:secret>": "connect/go/dm1/secret",
    "games/<slug:slug>/servers/<slug:server>/": "games/go/servers/dm1/",
    "talk/<slug:kind>/<id:pk>/": "talk/party/1/",
    "api/v1/talk/<slug:kind>/<id:place_id>": "api/v1/talk/party/1",
    "api/v1/^.*$": "api/v1/nothing/here",
    "api/v1/admin/ladders/<slug:slug>/tracks/<slug:system>": (
        "api/v1/admin/ladders/casual/tracks/glicko"
    ),
    "accounts/^confirm-email/(?P<key>[-:\\w]+)/$": "accounts/confirm-email/abc/",
    "accounts/^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$": (
        "accounts/password/reset/key/1-abc/"
    ),
}
# What can be asked for beyond the address, at addresses that begin so.
QUERIES: list[tuple[str, Callable[[Theatre], Sequence[str]]]] = [
    (
        "ladders/",
        lambda it: [
            "everyone=1",
            "everyone=1&rank=1",
            f"everyone=1&player={it.people['Anna'].player.pk}",
            "q=an",
        ],
    ),
    ("games/<slug:slug>/statistics/", lambda it: ["days=30", "order=ratio"]),
    ("games/<slug:slug>/static-ranking/", lambda it: ["days=30&core=5", "pairs=alike"]),
    ("players/", lambda it: [f"ladder={it.ladder.slug}", f"part=ratings&ladder={it.ladder.slug}"]),
    ("search/", lambda it: ["q=a", "q=anna", "q=otto"]),
    (
        "live/",
        lambda it: [
            "topic=site",
            "topic=player",
            *(f"topic=player:{pk}" for pk in _players(it)),
            *(f"topic=ladder:{one.pk}" for one in (it.ladder, it.empty)),
        ],
    ),
    (
        "api/v1/ladders/<slug:slug>/leaderboard",
        lambda it: ["everyone=1", f"around={it.people['Anna'].player.pk}", "rank=1&everyone=1"],
    ),
    ("api/v1/ladders/", lambda it: []),
    # All that has been told since the beginning.
    ("api/v1/events", lambda it: [f"after={head()._replace(transaction=0, notice=0)}"]),
    ("api/v1/ladders", lambda it: [f"game={it.game.slug}"]),
    ("api/v1/players/<id:player_id>/", lambda it: [f"ladder={it.ladder.slug}"]),
    ("api/v1/players/", lambda it: []),
    ("api/v1/players", lambda it: ["search=a", "search=otto", f"search=a&game={it.game.slug}"]),
    ("play/party/", lambda it: []),
    ("api/v1/me/avoided", lambda it: [f"player={_external_ids(it)[0]}"]),
    ("api/v1/me/feedback", lambda it: [f"player={_external_ids(it)[0]}"]),
    *(
        (f"api/v1/me/{name}", lambda it: [f"player={_external_ids(it)[0]}"])
        for name in (
            "avoided",
            "friends",
            "following",
            "blocked",
            "contact",
            "presence",
            "profile",
            "suggestions",
            "random-group",
        )
    ),
    ("api/v1/queues", lambda it: [f"game={it.game.slug}"]),
    ("api/v1/groups", lambda it: [f"player={_external_ids(it)[0]}"]),
    ("api/v1/clans", lambda it: [f"player={_external_ids(it)[0]}"]),
    ("api/v1/rooms/choices", lambda it: [f"ladder={it.ladder.slug}"]),
    ("api/v1/rooms", lambda it: ["list=all", f"list=all&player={_external_ids(it)[0]}"]),
    ("rooms/", lambda it: ["list=all", "q=room"]),
]


def _body_of_results(it: Theatre) -> dict[str, Any]:
    names = _external_ids(it)
    played = {
        "ladder": it.ladder.slug,
        "external_id": "sent",
        "teams": [[names[0]], [names[3]]],
        "ranks": [0, 1],
        "played_at": "2026-03-01T11:00:00Z",
    }
    return {"results": [played, {**played, "external_id": "other", "ranks": [5, 5]}]}


Bodies = Callable[[Theatre], Sequence[dict[str, Any]]]
# What is sent with POST and PUT to addresses that end so; the first line that fits counts, and {} to all others.
BODIES: list[tuple[str, Bodies]] = [
    (
        "/reports",
        lambda it: [{"outcome": "won"}, {"outcome": "won", "player": _external_ids(it)[1]}],
    ),
    ("/leave", lambda it: [{}, {"player": _external_ids(it)[1]}]),
    ("/join", lambda it: [{"code": it.party.code}]),
    ("/lead", lambda it: [{"member": _players(it)[1]}]),
    ("/remove", lambda it: [{"member": _players(it)[1]}]),
    ("/invite", lambda it: [{"member": _players(it)[1]}]),
    ("/withdraw", lambda it: [{"member": _players(it)[1]}, {}]),
    ("/owner", lambda it: [{"member": _players(it)[1]}]),
    ("/show", lambda it: [{"shows": True}]),
    ("/keep", lambda it: [{"keeps": True}]),
    ("v1/groups", lambda it: [{"name": "Evenings"}]),
    ("v1/clans", lambda it: [{"name": "Foxes", "tag": "FOX"}]),
    ("/officer", lambda it: [{"member": _players(it)[1], "officer": True}]),
    ("/leader", lambda it: [{"member": _players(it)[1]}]),
    ("/me/suggestions", lambda it: [{"wanted": True}]),
    ("/me/avoided", lambda it: [{"avoid": _players(it)[1]}]),
    ("/me/friends", lambda it: [{"friend": _players(it)[1]}]),
    ("/me/following", lambda it: [{"follow": _players(it)[1]}]),
    ("/me/blocked", lambda it: [{"block": _players(it)[1]}]),
    ("/player-reports", lambda it: [{"reported": _players(it)[1], "kind": "chat"}]),
    ("/appeals", lambda it: [{"sanction": 1, "text": "Why?"}]),
    ("/me/name", lambda it: [{"name": "Annabel"}]),
    ("/result", lambda it: [{"ranks": [0, 1]}]),
    ("/behaviour", lambda it: [{"players": {_external_ids(it)[0]: {"accuracy": 0.5}}}]),
    ("/estimate", lambda it: [{"matches": [{"accuracy": 0.5}]}]),
    ("/accept", lambda it: [{"offer": it.offer().pk}] if it.matches else [{}]),
    ("v1/results", lambda it: [_body_of_results(it)]),
    (
        "v1/matches",
        lambda it: [
            {"ladder": it.ladder.slug, "teams": [[name] for name in _external_ids(it)[2:4]]}
        ],
    ),
    (
        "v1/challenges",
        lambda it: [{"ladder": it.ladder.slug, "challenged": pk} for pk in _players(it)[:3]],
    ),
    ("challenges/take", lambda it: [{"code": "NOTHING"}]),
    (
        "v1/tickets",
        lambda it: [
            {"queue": it.queue.slug},
            {"queue": it.queue.slug, "player": _external_ids(it)[2]},
        ],
    ),
    ("/remove/", lambda it: [{"member": str(_players(it)[1])}]),
    ("/lead/", lambda it: [{"member": str(_players(it)[1])}]),
    ("/alert/", lambda it: [{"near": "anybody", "until": "3"}]),
    ("v1/me/alerts/casual", lambda it: [{"near": "anybody", "until": "hours", "hours": 2}]),
    ("/options/", lambda it: [{"options": "all", "wish-languages": ["de"]}]),
    ("/report/", lambda it: [{"outcome": "won"}, {"outcome": "left"}]),
    ("/player/", lambda it: [{"name": "Anna"}, {"name": "Newcomer"}]),
    ("/setlang/", lambda it: [{"language": "de"}]),
]


def first_that_fits(
    lines: Sequence[tuple[str, Found]], is_fit: Callable[[str], bool]
) -> Found | None:
    """What stands in the first line whose text fits; None where none does."""
    return next((found for text, found in lines if is_fit(text)), None)
