"""How many matches a ladder has: those that count."""

import pytest
from django.test import Client

from leaderboards.boards.overview import cards_of
from ratings.matches.decide import annul
from ratings.models import Ladder
from tests.leaderboards.site import make_site
from tests.ratings.replays import rate_all

pytestmark = pytest.mark.django_db


def test_annulled_matches_are_left_out() -> None:
    site = make_site()
    ladder = Ladder.objects.get(pk=site.arena.ladder.pk)
    number = ladder.last_seq
    assert number > 1
    assert cards_of([ladder])[0].matches == number
    annul(match_id=site.matches[0].pk, by=None, note="x")
    rate_all()
    ladder.refresh_from_db()
    assert ladder.last_seq == number
    assert cards_of([ladder])[0].matches == number - 1
    assert f"<b>{number - 1}</b> match" in Client().get(site.address).content.decode()
    answer = Client().get(f"/api/v1/ladders/{ladder.slug}").json()
    assert answer["matches"] == number - 1
