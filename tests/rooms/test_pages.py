"""The pages of rooms: what stands there, and what their forms do, without JavaScript."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from matchmaking.models import Conduct
from ratings.matches.report import report
from ratings.models import Ladder, Mode, Outcome, Player
from rooms.models import Room, RoomMember
from tests.matchmaking.visiting import queue_page_of, words_of
from tests.rooms.lounge import Lounge, check_rooms, make_lounge

pytestmark = pytest.mark.django_db
LIVE: dict[str, Any] = {"headers": {"HX-Request": "true"}}


def signed_in(lounge: Lounge, *numbers: int) -> list[Client]:
    """Clients of accounts with these players."""
    clients = []
    for number in numbers:
        user = User.objects.create_user(f"user-{number}")
        Player.objects.filter(pk=lounge.hall.players[number].pk).update(user=user)
        client = Client()
        client.force_login(user)
        clients.append(client)
    return clients


def text_of(client: Client, address: str, **more: Any) -> str:
    """A page as it is shown."""
    answer = client.get(address, **more)
    assert answer.status_code == 200, answer
    return answer.content.decode()


def test_a_room_is_opened_joined_and_started_on_the_pages() -> None:
    lounge = make_lounge(size=1)
    host, guest = signed_in(lounge, 0, 1)
    slug = lounge.hall.ladder.slug
    assert "Open a room" in text_of(host, "/rooms/")
    form = text_of(host, f"/rooms/open/{slug}/")
    assert 'name="rating_low"' in form
    assert 'name="team_choice"' not in form  # one against one
    asked = {
        "name": "Evening",
        "category": "serious",
        "access": "open",
        "start_rule": "host",
        "languages": ["de", "en"],
    }
    answer = host.post(f"/rooms/open/{slug}/", asked)
    room = Room.objects.get()
    assert answer["Location"] == f"/rooms/{room.pk}/"
    assert room.filters == {"languages": ["de", "en"]}
    seen = text_of(host, f"/rooms/{room.pk}/")
    assert "One seat is free." in seen
    assert room.code[:5] in seen
    listed = text_of(guest, "/rooms/")
    assert "Evening" in listed
    assert room.code not in text_of(guest, f"/rooms/{room.pk}/")
    assert guest.post(f"/rooms/{room.pk}/join/")["Location"] == f"/rooms/{room.pk}/"
    assert "The room is full." in text_of(host, f"/rooms/{room.pk}/")
    guest.post(f"/rooms/{room.pk}/ready/", {"ready": "1"})
    answer = host.post(f"/rooms/{room.pk}/start/")
    room.refresh_from_db()
    assert answer["Location"] == f"/play/matches/{room.match_id}/"
    assert guest.get(f"/rooms/{room.pk}/")["Location"] == f"/play/matches/{room.match_id}/"
    assert (
        guest.get(f"/rooms/{room.pk}/", **LIVE)["HX-Redirect"] == f"/play/matches/{room.match_id}/"
    )
    check_rooms()


def test_a_match_that_is_not_rated_is_nowhere_called_ranked() -> None:
    lounge = make_lounge(size=1)
    host, guest = signed_in(lounge, 0, 1)
    for is_rated in (False, True):
        room = lounge.join(lounge.open(0, rated=is_rated), 1)
        pages = [words_of(host, f"/rooms/{room.pk}/")]
        match = lounge.start(room).match_id
        assert match is not None
        pages += [words_of(one, f"/play/matches/{match}/") for one in (host, guest)]
        for words in pages:
            assert (" Not rated " in words, " Ranked " in words) == (not is_rated, is_rated)
        assert ("your public rating" in pages[1]) == is_rated
        assert ("Not rated: no rating changes." in pages[1]) != is_rated
        beside_search = words_of(host, queue_page_of(lounge.hall))
        assert ("This match is not rated" in beside_search) != is_rated
        report(match_id=match, player_id=lounge.hall.players[0].pk, outcome=Outcome.LOST)


def test_every_page_says_that_one_is_in_a_room_but_that_of_the_room() -> None:
    lounge = make_lounge(size=1)
    host, other = signed_in(lounge, 0, 1)
    room = lounge.open(0, name="Evening")
    words = "You are in the room “Evening”."
    assert words in text_of(host, "/play/")
    assert words in text_of(host, "/play/ongoing/", **LIVE)
    assert words not in text_of(host, f"/rooms/{room.pk}/")
    assert words not in text_of(other, "/play/")


def test_strength_stands_beside_names_where_it_is_public() -> None:
    lounge = make_lounge(size=1)
    (host,) = signed_in(lounge, 0)
    lounge.hall.rate({0: 1612.0})
    room = lounge.open(0)
    lounge.join(room, 1)
    shown = text_of(host, f"/rooms/{room.pk}/")
    assert "1612" in shown
    Ladder.objects.filter(pk=lounge.hall.ladder.pk).update(mode=Mode.NORMAL)
    assert "1612" not in text_of(host, f"/rooms/{room.pk}/")


def test_a_look_at_any_page_is_a_sign_of_life(django_capture_on_commit_callbacks: Any) -> None:
    lounge = make_lounge(size=1)
    (host,) = signed_in(lounge, 0)
    lounge.open(0)
    before = RoomMember.objects.get().seen_at
    with django_capture_on_commit_callbacks(execute=True):
        text_of(host, "/play/")
    assert RoomMember.objects.get().seen_at > before


def test_a_part_that_shows_nothing_new_is_not_sent_again() -> None:
    lounge = make_lounge(size=1)
    (host,) = signed_in(lounge, 0)
    room = lounge.open(0)
    for address in (f"/rooms/{room.pk}/", "/rooms/"):
        part = text_of(host, address, **LIVE)
        again = part.split('hx-get="')[1].split('"')[0].replace("&amp;", "&")
        assert host.get(again, **LIVE).status_code == 204
        lounge.join(room, 1) if address == "rooms/" else lounge.watch(room, 2)
        assert host.get(again, **LIVE).status_code == 200
        lounge.leave(room, 2)


def test_what_is_not_possible_is_said_beside_the_field() -> None:
    lounge = make_lounge(size=2)
    (host,) = signed_in(lounge, 0)
    asked = {
        "name": "x",
        "category": "casual",
        "access": "open",
        "team_choice": "seated",
        "start_rule": "host",
    }
    answer = host.post(f"/rooms/open/{lounge.hall.ladder.slug}/", asked)
    assert answer.status_code == 422
    assert "This must be a text of 2 to 60 characters." in answer.content.decode()
    assert not Room.objects.exists()


def test_a_range_of_ratings_that_is_upside_down_is_said_in_plain_words() -> None:
    lounge = make_lounge(size=1)
    (host,) = signed_in(lounge, 0)
    asked = {"name": "Evening", "category": "casual", "access": "open", "start_rule": "host"}
    asked |= {"rating_low": "2000", "rating_high": "1000"}
    answer = host.post(f"/rooms/open/{lounge.hall.ladder.slug}/", asked)
    assert answer.status_code == 422
    assert "The lower rating is above the higher one." in answer.content.decode()


def test_the_host_changes_a_room_and_nobody_else_does() -> None:
    lounge = make_lounge(size=2)
    host, guest = signed_in(lounge, 0, 1)
    room = lounge.open(0)
    lounge.join(room, 1)
    address = f"/rooms/{room.pk}/change/"
    assert guest.get(address).status_code == 404
    assert 'value="Room"' in text_of(host, address)
    asked = {
        "name": "Later",
        "category": "custom",
        "access": "code",
        "team_choice": "draft",
        "start_rule": "ready",
    }
    assert host.post(address, {**asked, "rating_low": "1200"})["Location"] == f"/rooms/{room.pk}/"
    room = lounge.reload(room)
    assert (room.name, room.team_choice, room.filters) == (
        "Later",
        "draft",
        {"rating": {"low": 1200.0}},
    )


def test_captains_pick_on_the_page() -> None:
    lounge = make_lounge(size=2)
    strengths = {number: 1000.0 + 100 * number for number in range(4)}
    lounge.hall.rate(strengths, deviation=60.0)
    host, weaker, stronger = signed_in(lounge, 0, 2, 3)
    room = lounge.open(0, team_choice="draft")
    lounge.join(room, 1, 2, 3)
    host.post(f"/rooms/{room.pk}/start/")
    seen = text_of(weaker, f"/rooms/{room.pk}/")
    assert "It&#x27;s your turn." in seen or "It's your turn." in seen
    assert f'id="pick-{lounge.hall.players[1].pk}"' in seen
    assert "pick-" not in text_of(stronger, f"/rooms/{room.pk}/")
    weaker.post(f"/rooms/{room.pk}/pick/", {"player": lounge.hall.players[1].pk})
    stronger.post(f"/rooms/{room.pk}/pick/", {"player": lounge.hall.players[0].pk})
    assert lounge.reload(room).state == "started"


def test_a_room_that_is_starting_is_seen_by_its_members_alone() -> None:
    lounge = make_lounge(size=2)
    (outside,) = signed_in(lounge, 5)
    room = lounge.open(0, team_choice="draft")
    lounge.join(room, 1, 2, 3)
    assert outside.get(f"/rooms/{room.pk}/").status_code == 200
    lounge.start(room)
    assert outside.get(f"/rooms/{room.pk}/")["Location"] == "/rooms/"
    assert "This room is starting" in text_of(outside, "/rooms/")


def test_a_click_that_comes_too_late_is_told_why() -> None:
    lounge = make_lounge(size=1)
    (late,) = signed_in(lounge, 2)
    room = lounge.start(lounge.join(lounge.open(0), 1))
    for click in (late.get, late.post):
        address = f"/rooms/{room.pk}/" if click == late.get else f"/rooms/{room.pk}/join/"
        assert click(address)["Location"] == "/rooms/"
        assert text_of(late, "/rooms/").count("This room is no longer open") == 1
    assert late.get(f"/rooms/{room.pk}/", **LIVE)["HX-Redirect"] == "/rooms/"
    assert late.get(f"/rooms/{room.pk + 1}/").status_code == 404


def test_a_room_says_why_not_in_place_of_its_buttons() -> None:
    lounge = make_lounge(size=1)
    lounge.hall.rate({0: 1500.0, 1: 1000.0})
    weak, other = signed_in(lounge, 1, 2)
    strong = lounge.open(0, filters={"rating": {"low": 1400}})
    page = words_of(weak, f"/rooms/{strong.pk}/")
    assert "Your rating is outside the room's range." in page
    for button in ("Join", "Watch"):
        assert f" {button} " not in page
    coded = lounge.open(3, access="code")
    assert "Only those who have its code may come." in words_of(other, f"/rooms/{coded.pk}/")
    known = words_of(other, f"/rooms/{coded.pk}/?code={coded.code}")
    assert "Only those" not in known
    assert " Join " in known


def test_lists_say_why_not_and_filter() -> None:
    lounge = make_lounge(size=2)
    lounge.hall.rate({0: 1500.0, 1: 1000.0})
    (player,) = signed_in(lounge, 1)
    lounge.open(0, name="Strong", filters={"rating": {"low": 1400}})
    lounge.open(2, name="Coded", access="code", category="serious")
    lounge.open(3, name="Free")
    joinable, everything = text_of(player, "/rooms/"), text_of(player, "/rooms/?list=all")
    assert "Free" in joinable
    assert "Strong" not in joinable
    assert "Your rating is outside the room&#x27;s range." in everything
    assert "Only those who have its code may come." in everything
    assert "Coded" in text_of(player, "/rooms/?list=all&category=serious")
    assert "Free" not in text_of(player, "/rooms/?list=all&q=strong")


def test_so_many_queries_however_many_rooms(django_assert_max_num_queries: Any) -> None:
    lounge = make_lounge(40, size=2)
    (player,) = signed_in(lounge, 39)
    for number in range(12):
        lounge.open(number, filters={"languages": ["de"], "rating": {"low": 1}})
    with django_assert_max_num_queries(40):
        few = text_of(player, "/rooms/?list=all")
    assert few.count("rooms-room") >= 12
    with CaptureQueriesContext(
        connection,
    ) as one:
        text_of(player, "/rooms/?list=all")
    for number in range(12, 19):
        lounge.open(number, filters={"languages": ["de"], "rating": {"low": 1}})
    with CaptureQueriesContext(connection) as more:
        text_of(player, "/rooms/?list=all")
    assert len(more) == len(one)


def test_nothing_of_ratings_stands_on_a_normal_ladder() -> None:
    lounge = make_lounge(size=2, mode=Mode.NORMAL)
    (host,) = signed_in(lounge, 0)
    form = text_of(host, f"/rooms/open/{lounge.hall.ladder.slug}/")
    for name in ("rating_low", "chance", "established"):
        assert f'name="{name}"' not in form
    assert 'name="conduct"' in form
    room = lounge.open(1, filters={"conduct": True})
    Conduct.objects.create(player=lounge.hall.players[0], score=9.0)
    listed = text_of(host, "/rooms/?list=all")
    assert "This room is not open to you." in listed
    host.post(f"/rooms/{room.pk}/join/")
    assert lounge.seats(room) == {0: 1}


def test_a_code_leads_to_its_room() -> None:
    lounge = make_lounge(size=2)
    (guest,) = signed_in(lounge, 1)
    room = lounge.open(0, access="code")
    answer = guest.get(f"/rooms/find/?code={room.code.lower()}")
    assert answer["Location"] == f"/rooms/{room.pk}/?code={room.code}"
    assert room.code in text_of(guest, answer["Location"])
    guest.post(f"/rooms/{room.pk}/join/", {"code": room.code})
    assert lounge.seats(room) == {0: 0, 1: 1}
    assert guest.get("/rooms/find/?code=nothing")["Location"] == "/rooms/"


def test_who_has_no_player_is_led_on() -> None:
    client = Client()
    client.force_login(User.objects.create_user("nobody"))
    assert "You have no player in any game yet." in text_of(client, "/rooms/")
    assert Client().get("/rooms/").status_code == 302


def test_the_host_starts_at_the_top_by_the_one_button_that_stands_out() -> None:
    lounge = make_lounge(size=1)
    host, guest = signed_in(lounge, 0, 1)
    room = lounge.join(lounge.open(0), 1)
    shown = text_of(host, f"/rooms/{room.pk}/")
    top = shown.split('class="rooms-teams"')[0].split('class="rooms-page"')[1]
    assert 'id="room-start"' in top
    stand_out = [part for part in top.split("<button ")[1:] if "button-quiet" not in part]
    assert len(stand_out) == 1
    assert "You can start the match" in shown
    theirs = text_of(guest, f"/rooms/{room.pk}/")
    assert 'id="room-start"' not in theirs
    assert "The host can start the match" in theirs


def test_a_link_asks_whoever_has_no_player_for_a_name_and_leads_on() -> None:
    lounge = make_lounge(size=1)
    room = lounge.open(0, name="Evening", access="code")
    new = Client()
    new.force_login(User.objects.create_user("newbie"))
    page = f"/rooms/{room.pk}/"
    link = f"{page}?code={room.code}"
    assert new.get(page).status_code == 404
    shown = words_of(new, link)
    assert "Evening" in shown
    assert f"with {lounge.hall.players[0].name}" in shown
    assert "Your name in this game" in shown
    # One press may be of a page that was open before signing in as somebody else.
    for press in ("join", "watch"):
        assert new.post(f"{page}{press}/", {"code": room.code})["Location"] == link
        assert new.post(f"{page}{press}/")["Location"] == "/rooms/"
    naming = {"code": room.code, "name": "Newbie"}
    refused = new.post(f"{page}name/", {**naming, "name": "x" * 100})
    assert refused.status_code == 422
    assert "Evening" in refused.content.decode()
    assert new.post(f"{page}name/", naming)["Location"] == link
    assert " Join " in words_of(new, link)
    new.post(f"{page}join/", {"code": room.code})
    assert lounge.reload(room).state == "open"
    assert RoomMember.objects.filter(room=room, player__name="Newbie", seat=1).exists()


def test_a_link_tells_who_is_signed_out_of_the_room_and_leads_back() -> None:
    lounge = make_lounge(size=1)
    room = lounge.open(0, name="Evening", access="code", note="For a quiet hour.")
    page, visitor = f"/rooms/{room.pk}/", Client()
    link = f"{page}?code={room.code}"
    shown = words_of(visitor, link)
    ladder = room.ladder
    host = lounge.hall.players[0].name
    for words in ("Evening", "For a quiet hour.", f"Play {ladder.game.name} with {host}"):
        assert words in shown
    assert f"on the ladder {ladder.name}." in shown
    back = f"next=/rooms/{room.pk}/%3Fcode%3D{room.code}"
    for way in ("login", "signup"):
        assert f'href="/accounts/{way}/?{back}"' in text_of(visitor, link)
    # Neither without the room's code, nor for a part, nor once it has begun, is anything of it told.
    sign_in = f"/accounts/login/?next={page}"
    unknown = f"/rooms/{room.pk + 1}/"
    assert visitor.get(page)["Location"] == sign_in
    assert visitor.get(f"{page}?code=ANOTHERONE")["Location"] == f"{sign_in}%3Fcode%3DANOTHERONE"
    assert visitor.get(unknown)["Location"] == f"/accounts/login/?next={unknown}"
    assert (
        visitor.get(link, **LIVE)["Location"]
        == f"/accounts/{back.replace('next', 'login/?next', 1)}"
    )
    lounge.start(lounge.join(room, 1, code=room.code))
    assert visitor.get(link).status_code == 302


def test_a_link_with_a_code_of_before_says_so() -> None:
    lounge = make_lounge(size=1)
    room = lounge.open(0)
    new = Client()
    new.force_login(User.objects.create_user("newbie"))
    words = "No room has this code."
    assert new.get(f"/rooms/{room.pk}/?code=ANOTHERONE")["Location"] == "/rooms/"
    assert words in text_of(new, "/rooms/")
    naming = {"code": "ANOTHERONE", "name": "Newbie"}
    assert new.post(f"/rooms/{room.pk}/name/", naming)["Location"] == "/rooms/"
    assert words in text_of(new, "/rooms/")
    assert not Player.objects.filter(name="Newbie").exists()
