"""The page of a match whose result was corrected: what stood there, and no numbers that no longer hold."""

import pytest

from ratings.matches.result import Result
from ratings.matches.revising.correct import correct
from ratings.merging.merge import merge
from tests.leaderboards.site import Site, make_site
from tests.ratings.arena import DAY, START
from tests.ratings.replays import rate_all
from tests.shown import as_shown

pytestmark = pytest.mark.django_db


def read(site: Site) -> str:
    return as_shown(site.text(f"/matches/{site.matches[0].pk}/"))


@pytest.mark.parametrize(("system", "days"), [("glicko", 7.0), ("elo", None)])
def test_it_says_what_stood_there_and_waits_for_the_replay(system: str, days: float | None) -> None:
    site = make_site(system=system, days=days)
    match = site.matches[0]
    assert "Corrected result" not in read(site)
    result = Result(ranks=(1, 0), scores=(2, 3))
    correct(match_id=match.pk, result=result, reason="Swapped <b>sides</b>.")
    shown = read(site)
    assert "The administration corrected the result on" in shown
    assert "Swapped &lt;b&gt;sides&lt;/b&gt;." in shown
    before = shown[shown.index("The result before") :]
    assert before.index("won") < before.index("lost")
    assert "being recalculated with the corrected result" in shown
    assert "Why the ratings changed" not in shown
    # Lists of matches do not say what the old ledger made of it either.
    mine = [
        one
        for one in site.text(f"/players/{site.anna.pk}/").split("<tr")
        if f"/matches/{match.pk}/" in one
    ]
    assert mine
    assert not any("delta-gain" in one or "delta-loss" in one for one in mine)
    rate_all(day=(site.now - START) / DAY)
    shown = read(site)
    assert "being recalculated" not in shown
    assert "Why the ratings changed" in shown
    assert "Anna was expected to score" in shown
    assert "and lost." in shown
    correct(match_id=match.pk, result=Result(ranks=(0, 0)), reason="A draw.", server_key=None)
    assert read(site).count('class="card correction"') == 2


def test_a_match_of_a_merged_player_waits_for_the_replay_too() -> None:
    site = make_site(system="glicko", days=7.0)
    match = site.matches[0]
    merged, into = match.participants.get(team=1).player, site.arena.players[-1]
    merge(player=merged, into=into, by=None, note="x", annul_shared=True)
    shown = read(site)
    assert "The ratings are being recalculated." in shown
    assert "Why the ratings changed" not in shown
    rate_all(day=(site.now - START) / DAY)
    shown = read(site)
    assert "being recalculated" not in shown
    assert "Why the ratings changed" in shown
