"""Pages say of a match that is not rated that it is not, and never that it will be."""

import pytest

from ratings.matches.decide import confirm_by_server
from ratings.matches.result import Result
from ratings.matches.start import start_match
from ratings.models import Mode
from tests.leaderboards.site import make_site
from tests.shown import as_shown

pytestmark = pytest.mark.django_db


def test_its_page_and_lists_say_so() -> None:
    site = make_site(system="elo")
    ladder = site.matches[0].ladder
    players = [one.player_id for one in site.matches[0].participants.order_by("team")]
    match = start_match(ladder=ladder, teams=[[pk] for pk in players], rated=False)
    assert "not rated" in as_shown(site.text(f"/matches/{match.pk}/"))
    confirm_by_server(match_id=match.pk, result=Result(ranks=(1, 0)))
    shown = as_shown(site.text(f"/matches/{match.pk}/"))
    assert "This match is not rated" in shown
    assert "rated as soon as its turn comes" not in shown
    assert "hx-trigger" not in shown[shown.index('id="match-story"') :].split(">", 1)[0]
    (row,) = [
        one
        for one in as_shown(site.text(f"/players/{players[0]}/")).split("<tr")
        if f"/matches/{match.pk}/" in one
    ]
    assert "not rated" in row
    assert "not rated yet" not in row
    assert ladder.mode == Mode.RANKED
