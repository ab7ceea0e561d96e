"""Pages of merged players: the page, the board and searches lead to the one who stays."""

import pytest

from foundation import clock
from leaderboards.boards.hidden import follow_sanctions
from leaderboards.models import Standing
from leaderboards.players.search import find_in_track, find_players
from ratings.merging.merge import merge
from ratings.merging.unmerge import unmerge
from ratings.models import Player
from tests.leaderboards.site import make_site

pytestmark = pytest.mark.django_db


def test_everything_leads_to_the_one_who_stays() -> None:
    site = make_site()
    one, two = (Player.objects.get(pk=site.arena.players[number].pk) for number in (2, 3))
    with clock.at(site.now):
        merge(player=two, into=one, by=None, note="x", annul_shared=True)
        assert follow_sanctions() == 1
    answer = site.get(f"/players/{two.pk}/?ladder={site.arena.ladder.slug}")
    assert answer.status_code == 308
    assert answer["Location"] == f"/players/{one.pk}/?ladder={site.arena.ladder.slug}"
    assert "no-store" in answer["Cache-Control"]
    assert one.pk in [it.pk for it in find_players(two.name).players]
    assert two.pk not in [it.pk for it in find_players(two.name).players]
    # At once, though the track that they see has not been rated anew yet.
    standings = Standing.objects.filter(track=site.track)
    assert not standings.filter(player=two).exists()
    assert [it.player_id for it in find_in_track(site.track, two.name)] == [one.pk]
    two.refresh_from_db()
    with clock.at(site.now):
        unmerge(player=two, by=None, note="x")
        follow_sanctions()
    assert standings.filter(player=two).exists()
    assert site.get(f"/players/{two.pk}/").status_code == 200
