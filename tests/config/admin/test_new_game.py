"""Setting up a game on one page of the admin: all of it or nothing, and what is shown afterwards works."""

import shlex
from html import unescape
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from accounts.models import AuditEntry, User
from accounts.roles import give_roles
from api.models import ServerKey
from matchmaking.models import Queue
from ratings.archiving import archive
from ratings.models import Game, Ladder, Match, RatingTrack
from ratings.systems import declaration_of, names

pytestmark = pytest.mark.django_db
PAGE = "/admin/set-up/"
CHESS = {
    "game_name": "Chess",
    "ladder_name": "Blitz",
    "mode": "ranked",
    "format": "duel",
    "system": "elo",
    "period": "none",
    "has_queue": "on",
    "expected": "few",
    "key_name": "Game server",
}


def pasted(line: str) -> Any:
    """What a line for curl answers."""
    words, headers, body, address = iter(shlex.split(line)[1:]), {}, None, ""
    for word in words:
        if word == "-H":
            name, _, value = next(words).partition(": ")
            headers[name] = value
        elif word == "-d":
            body = next(words)
        else:
            address = word
    method = "GET" if body is None else "POST"
    path = urlsplit(address).path
    assert address.startswith("http://testserver/")
    kind = headers.pop("Content-Type", "application/octet-stream")
    return Client().generic(method, path, body or "", content_type=kind, headers=headers)


def line(page: str, name: str) -> str:
    return unescape(page.partition(f'id="{name}">')[2].partition("</code>")[0])


def test_the_first_visit_leads_to_the_page_and_what_it_shows_works(client: Client) -> None:
    assert "Begin here" in client.get("/admin/").content.decode()
    asked = client.get(PAGE).content.decode()
    assert all(unescape(str(declaration_of(name).purpose)) in unescape(asked) for name in names())
    assert "30 days: ratings stand still until then" in asked
    answer = client.post(PAGE, CHESS)
    page = answer.content.decode()
    assert "no-store" in answer["Cache-Control"]
    (queue,) = Queue.objects.all()
    (track,) = RatingTrack.objects.all()
    assert (queue.slug, queue.gap_start, queue.gap_per_second) == ("chess-blitz", 200.0, 10.0)
    assert (track.system, track.period_days, track.shown) == ("elo", None, True)
    secret = line(page, "secret")
    assert secret.startswith(f"em_srv_{ServerKey.objects.get().prefix}")
    board = pasted(line(page, "reading"))
    assert (board.status_code, board.json()["ladder"]) == (200, "chess-blitz")
    recorded = pasted(line(page, "recording"))
    assert (recorded.status_code, recorded.json()["created"]) == (200, 1)
    assert Match.objects.get().ladder == queue.ladder
    # In the log as by the pages of each, under the name of who did it.
    log = AuditEntry.objects.order_by("pk").values_list("action", "actor__is_superuser")
    assert list(log) == [
        (action, True)
        for action in (
            "game.added",
            "ladder.added",
            "track.created",
            "queue.added",
            "serverkey.added",
        )
    ]
    # Sent again it makes nothing, and the page of later visits is still there.
    again = client.post(PAGE, CHESS).content.decode()
    assert "“chess” is there already" in again
    assert secret not in again
    assert (Game.objects.count(), ServerKey.objects.count()) == (1, 1)
    index = client.get("/admin/").content.decode()
    assert "Begin here" not in index
    assert PAGE in index


@pytest.mark.parametrize(
    ("answers", "field", "words"),
    [
        ({"game_name": ""}, "game_name", "required"),
        ({"game_name": "将棋"}, "game_slug", "give a short name"),
        ({"game_slug": "two words"}, "game_slug", "letters"),
        (
            {"format": "teams", "team_size": "5", "system": "frags"},
            "system",
            "Frags rates one against one only",
        ),
        ({"format": "teams", "system": "trueskill"}, "team_size", "How many players has a team?"),
        ({"format": "everybody", "players": "2"}, "players", "between 3 and 100"),
        ({"system": "glicko"}, "period", "Glicko rates by period only"),
        ({"period": "other"}, "period_days", "How many days?"),
        ({"period": "other", "period_days": "-1"}, "period_days", "must be"),
        ({"expected": ""}, "expected", "How many search"),
    ],
    ids=str,
)
def test_what_is_wrong_is_told_at_its_question(
    client: Client, answers: dict[str, str], field: str, words: str
) -> None:
    answer = client.post(PAGE, {**CHESS, **answers})
    assert words in " ".join(answer.context["form"].errors[field])
    assert words in unescape(answer.content.decode())
    assert not Game.objects.exists()
    assert not AuditEntry.objects.exists()


def test_what_is_archived_is_named_as_such(client: Client) -> None:
    """It is in no list, so that nobody sees what has the name."""
    client.post(PAGE, CHESS)
    archive(Game.objects.get(), by=None)
    for name, slug in (("Chess", "chess"), ("Other", "chess-blitz")):
        sent = {**CHESS, "game_name": name, "ladder_slug": slug}
        page = client.post(PAGE, sent).content.decode()
        assert f"“{slug}” is there already, and archived. Restore it" in page
    assert Game.objects.count() == Ladder.objects.count() == 1


def test_nothing_is_made_where_the_last_part_cannot_be(client: Client) -> None:
    client.post(PAGE, CHESS)
    Queue.objects.update(slug="go-quick")
    answer = client.post(PAGE, {**CHESS, "game_name": "Go", "ladder_name": "Quick"})
    assert "ladder_slug" in answer.context["form"].errors
    assert list(Game.objects.values_list("slug", flat=True)) == ["chess"]
    assert Ladder.objects.count() == 1


@pytest.mark.parametrize("expected", ["few", "some", "many"])
def test_teams_and_everybody_get_what_suits_them(client: Client, expected: str) -> None:
    teams = {**CHESS, "system": "trueskill", "expected": expected}
    squads = {**teams, "game_name": "Squads", "format": "teams", "team_size": "3"}
    client.post(PAGE, squads)
    brawl = {**teams, "game_name": "Brawl", "format": "everybody", "players": "8"}
    page = client.post(PAGE, {**brawl, "mode": "normal", "period": "30"}).content.decode()
    shapes = Ladder.objects.order_by("slug").values_list("slug", "team_count", "team_size")
    assert list(shapes) == [("brawl-blitz", 8, 1), ("squads-blitz", 2, 3)]
    assert "usual. It seems to be meant for another scale" not in page
    assert pasted(line(page, "reading")).json()["game"] == "brawl"  # a hidden board has no page
    widths = {"few": 2.0, "some": 1.0, "many": 0.5}
    usual = 6.0
    for queue in Queue.objects.all():
        assert queue.settings.get("teams", {}).get("spread_start", usual) == queue.gap_start
        assert 0 < queue.gap_start < 30 * widths[expected]


def test_the_preview_says_what_players_will_see(client: Client) -> None:
    shown = client.get(f"{PAGE}preview/", {**CHESS, "period": "7"}).content.decode()
    assert "every 7 days" in shown
    assert "at most 200 points apart" in shown
    assert "never rated" not in shown
    shown = client.get(f"{PAGE}preview/", {**CHESS, "system": "zonestats"}).content.decode()
    assert "are never rated. Let the game" in shown
    shown = client.get(f"{PAGE}preview/", {"system": "elo", "period": "none"}).content.decode()
    assert "after each match" in shown
    page = client.post(PAGE, {**CHESS, "period": "30", "_preview": "1"}).content.decode()
    assert "every 30 days" in page
    assert "Nothing was made" not in page
    assert not Game.objects.exists()


def test_organisers_make_a_game_without_a_key_and_others_none() -> None:
    user = User.objects.create_user("org", password="a long pass phrase", is_staff=True)
    client = Client()
    client.force_login(user)
    assert client.get(PAGE).status_code == 403
    assert client.get(f"{PAGE}preview/").status_code == 403
    give_roles()
    user.groups.add(Group.objects.get(name="Organiser"))
    page = client.post(PAGE, CHESS).content.decode()
    assert Queue.objects.exists()
    assert not ServerKey.objects.exists()
    assert 'id="secret"' not in page
    assert pasted(line(page, "reading")).status_code == 200
    assert 'id="recording"' not in page
