"""A report of a line carries what was written there, as the site has it."""

import pytest
from django.test import Client

from matchmaking.models import Party
from moderation.models import PlayerReport
from talk.models import TalkRules
from tests.matchmaking.hall import Hall
from tests.matchmaking.squads import gather, make_team_hall
from tests.matchmaking.visiting import make_account, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall() -> Hall:
    found = make_team_hall(4)
    TalkRules.objects.create(game=found.ladder.game)
    return found


@pytest.fixture
def party(hall: Hall) -> Party:
    return gather(hall, 0, 1)


def test_a_line_is_reported_beside_it(hall: Hall, party: Party) -> None:
    anna, berta = make_account(hall, 0, "anna"), make_account(hall, 1, "berta")
    address = f"/talk/party/{party.pk}/"
    anna.post(address, {"text": "Hello"})
    berta.post(address, {"text": "You <b>fool</b>"})
    page = f"/reports/players/{hall.players[1].pk}/?kind=chat"
    assert f'href="{page}"' in text_of(anna, address)
    form = text_of(anna, page)
    assert '<option value="chat" selected>' in form
    anna.post(page, {"kind": "chat", "match": "", "text": "rude"})
    report = PlayerReport.objects.get()
    assert [(line["name"], line["text"]) for line in report.lines] == [
        ("Anna", "Hello"),
        ("Berta", "You <b>fool</b>"),
    ]


def test_not_what_others_wrote_elsewhere(hall: Hall, party: Party) -> None:
    carla = make_account(hall, 2, "carla")
    berta = make_account(hall, 1, "berta")
    assert isinstance(carla, Client)
    berta.post(f"/talk/party/{party.pk}/", {"text": "in the party"})
    page = f"/reports/players/{hall.players[1].pk}/"
    carla.post(page, {"kind": "chat", "match": "", "text": "rude"})
    assert PlayerReport.objects.get().lines == []
