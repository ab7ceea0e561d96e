"""Search options on the page of a queue: asked for, kept, and searched with; without JavaScript."""

import html
import re

import pytest

from matchmaking.models import Preference, Queue, Ticket
from ratings.matches.decide import confirm_by_server
from ratings.matches.result import Result
from ratings.matches.start import start_match
from tests.matchmaking.squads import gather, make_team_hall
from tests.matchmaking.visiting import (
    HTMX,
    accounts,
    queue_page_of,
    text_of,
    words_of,
)

pytestmark = pytest.mark.django_db


LOOKS_AT = {
    "language": {"use": "must"},
    "region": {"use": "drop"},
    "style": {"use": "prefer"},
    "teams": {"roles": "tank 1; healer 1"},
    "maps": {"names": "Canyon; River"},
}


def test_a_queue_asks_for_what_it_looks_at() -> None:
    hall = make_team_hall(settings=LOOKS_AT)
    anna, _bernd = accounts(hall, "anna", "bernd")
    fields = set(re.findall(r'name="wish-(\w+)"', text_of(anna, queue_page_of(hall))))
    assert fields == {
        "languages", "regions", "styles", "styles_wanted", "roles", "maps_veto", "maps_like",
    }  # fmt: skip
    gather(hall, 1, 0)
    fields = set(re.findall(r'name="wish-(\w+)"', text_of(anna, queue_page_of(hall))))
    assert fields == {"roles"}
    Queue.objects.update(settings={})
    assert "Search options" not in text_of(anna, queue_page_of(hall))


def test_options_are_searched_with_and_remembered() -> None:
    hall = make_team_hall(settings=LOOKS_AT)
    (anna,) = accounts(hall, "anna")
    chosen = {
        "options": "all",
        "wish-languages": ["de", "en"],
        "wish-regions": " eu, us-east,, eu ",
        "wish-styles": "attack",
        "wish-roles": ["healer"],
        "wish-maps_veto": ["River"],
    }
    anna.post(f"{queue_page_of(hall)}search/", chosen)
    ticket = Ticket.objects.get()
    wishes = {
        "languages": ["de", "en"],
        "regions": {"eu": None, "us-east": None},
        "styles": ["attack"],
        "maps": {"veto": ["River"]},
    }
    assert (ticket.wishes, ticket.members.get().roles) == (wishes, ["healer"])
    anna.post(f"/play/tickets/{ticket.pk}/cancel/")
    text = text_of(anna, queue_page_of(hall))
    assert 'value="eu, us-east"' in text
    assert len(re.findall(r'value="(?:de|en|healer|River)"[^>]* checked', text)) == 4
    anna.post(f"{queue_page_of(hall)}search/")  # from the page of all queues: as the last time
    assert Ticket.objects.latest("pk").wishes == wishes


def test_options_are_there_after_a_match_too() -> None:
    """Rooms that refuse by them send here."""
    hall = make_team_hall(settings=LOOKS_AT)
    (anna,) = accounts(hall, "anna")
    ids = [player.pk for player in hall.players[:4]]
    match = start_match(ladder=hall.ladder, teams=[ids[:2], ids[2:]])
    assert "wish-regions" not in text_of(anna, queue_page_of(hall))
    confirm_by_server(match_id=match.pk, result=Result(ranks=(0, 1)))
    text = text_of(anna, queue_page_of(hall))
    assert "Find another match" in text
    assert "wish-regions" in text
    wrong = {"options": "all", "wish-regions": "x" * 41}
    refused = anna.post(f"{queue_page_of(hall)}options/", wrong)
    assert (refused.status_code, b"is not a word" in refused.content) == (422, True)


def test_wrong_options_are_told_where_they_were_typed() -> None:
    hall = make_team_hall(settings=LOOKS_AT)
    (anna,) = accounts(hall, "anna")
    chosen = {"options": "all", "wish-regions": "x" * 41, "wish-maps_veto": ["Canyon", "River"]}
    path = f"{queue_page_of(hall)}search/"
    refused = anna.post(path, chosen)
    text = html.unescape(refused.content.decode())
    assert refused.status_code == 422
    assert "is not a word" in text
    assert "At least one map has to be left" in text
    assert f'hx-get="{queue_page_of(hall)}?seen=idle' in text
    part = anna.post(path, chosen, headers=HTMX)
    assert (part.status_code, b"is not a word" in part.content) == (200, True)
    assert not Ticket.objects.exists()
    assert not Preference.objects.exists()


def test_where_the_queue_has_words_they_are_ticked_not_typed() -> None:
    words = {"region": {"use": "must", "names": "eu; us"}, "rules": {"use": "must", "names": "fog"}}
    hall = make_team_hall(settings=words)
    (anna,) = accounts(hall, "anna")
    text = text_of(anna, queue_page_of(hall))
    assert re.findall(r'type="checkbox" name="wish-(\w+)" value="(\w+)"', text) == [
        ("regions", "eu"),
        ("regions", "us"),
        ("rules", "fog"),
    ]
    anna.post(f"{queue_page_of(hall)}options/", {"options": "all", "wish-regions": ["eu", "us"]})
    Queue.objects.update(settings={"region": {"use": "must", "names": "us"}})
    assert re.findall(r'value="(\w+)"[^>]* checked', text_of(anna, queue_page_of(hall))) == ["us"]
    anna.post(f"{queue_page_of(hall)}search/")
    assert Ticket.objects.get().wishes == {"regions": {"us": None}}


def test_members_say_what_they_take_part_with() -> None:
    hall = make_team_hall(settings=LOOKS_AT)
    anna, bernd = accounts(hall, "anna", "bernd")
    gather(hall, 0, 1)
    bernd.post(f"{queue_page_of(hall)}options/", {"options": "own", "wish-roles": ["tank"]})
    assert "saved for the next search" in words_of(bernd, queue_page_of(hall))
    anna.post(f"{queue_page_of(hall)}search/", {"options": "all", "wish-roles": ["healer"]})
    roles = {one.player.name: one.roles for one in Ticket.objects.get().members.all()}
    assert roles == {"Anna": ["healer"], "Bernd": ["tank"]}


def test_what_is_gone_from_a_queue_is_not_asked_for_any_more() -> None:
    hall = make_team_hall(settings=LOOKS_AT)
    (anna,) = accounts(hall, "anna")
    kept = {"options": "all", "wish-roles": ["healer"], "wish-maps_veto": ["River"]}
    anna.post(f"{queue_page_of(hall)}options/", kept)
    for maps in ("Canyon", "River"):
        Queue.objects.update(settings={"maps": {"names": maps}, "teams": {"roles": "tank 1"}})
        anna.post(f"{queue_page_of(hall)}search/")
        ticket = Ticket.objects.latest("pk")
        assert (ticket.wishes, ticket.members.get().roles) == ({}, [])
        anna.post(f"/play/tickets/{ticket.pk}/cancel/")
