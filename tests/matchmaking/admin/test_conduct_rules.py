"""The rules of conduct in the admin: what stands under which heading, and what is said of a change."""

import html
import re

import pytest
from django.test import Client

from matchmaking.admin.conduct_rules import ConductRulesForm
from matchmaking.models import ConductRules
from tests.matchmaking.hall import make_hall
from tests.ratings.admin_cast import operator

pytestmark = pytest.mark.django_db
ADD = "/admin/matchmaking/conductrules/add/"


def sent(client: Client, **values: object) -> str:
    """What is said to the usual rules of a game with some other values, without a tick at “Apply”."""
    game = make_hall(2).ladder.game
    usual = {name: getattr(ConductRules(game=game), name) for name in ConductRulesForm.ranges}
    answer = client.post(ADD, {"game": game.pk, **usual, "note": "x", **values})
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())


def test_each_number_stands_under_its_heading() -> None:
    page = operator().get(ADD).content.decode()
    found: dict[str, list[str]] = {}
    for part in page.split("<fieldset")[1:]:
        heading = re.search(r"<h2[^>]*>\s*([^<]*?)\s*</h2>", part)
        names = re.findall(r'<(?:input|select|textarea)[^>]* name="([a-z_]+)"', part)
        found[heading[1] if heading else ""] = names
    assert found["Points"] == [
        "left", "declined", "silent", "missed", "reported", "reports_at_most", "manners",
    ]  # fmt: skip
    assert found["Steps"] == [
        "note_from", "cool_from", "cool_after", "cool_minutes", "cool_at_most_minutes", "like_from",
    ]  # fmt: skip
    assert found["Crashes"] == ["rejoin_seconds", "crash_seconds"]


def test_a_number_without_end_is_not_written_out() -> None:
    said = sent(operator(), half_life_days="1e308")
    assert "you gave “1e308”" in said
    assert "000,000,000,000,000" not in said


def test_what_cannot_be_is_refused_and_not_shown_beforehand() -> None:
    client = operator()
    shown = sent(client)
    assert "Nothing is saved yet" in shown
    refused = sent(client, note_from="0.9", cool_from="0.2")
    assert "Being told comes first" in refused
    assert "Nothing is saved yet" not in refused
    ticked = sent(client, note_from="0.9", cool_from="0.2", apply="on")
    assert ticked.count("Being told comes first") == 1
    assert not ConductRules.objects.exists()
