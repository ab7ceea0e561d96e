"""Widening told in words: the same for everybody who has waited as long, and never a rating."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from matchmaking.models import Queue
from matchmaking.pages.widening_words import Reach, reach_in_words, reach_of
from ratings.models import Mode
from tests.matchmaking.hall import make_hall

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("waited", "reach"),
    [(0, "nearest"), (9, "nearest"), (10, "little_further"), (40, "further"), (100, "nearly_all")],
)
def test_golden_steps(waited: float, reach: str) -> None:
    assert reach_of(Queue(gap_start=100, gap_per_second=5), waited) == reach


def test_a_gap_from_nothing_on_and_one_that_ends() -> None:
    from_nothing = Queue(gap_start=0, gap_per_second=5)
    assert [reach_of(from_nothing, waited) for waited in (0, 30, 120)] == [
        "nearest", "little_further", "nearly_all",
    ]  # fmt: skip
    assert reach_of(Queue(gap_start=100, gap_per_second=5, gap_cap=200), 900) == "little_further"
    assert reach_of(Queue(gap_start=100, gap_per_second=0), 900) == Reach.NEAREST


def test_players_of_a_normal_ladder_read_no_figure() -> None:
    hall = make_hall(1, mode=Mode.NORMAL)
    hall.players[0].user = User.objects.create_user("anna")
    hall.players[0].save()
    client = Client()
    client.force_login(hall.players[0].user)
    hall.join(0)
    with hall.at_now():
        page = client.get(reverse("queue", args=[hall.queue.slug])).content.decode()
        assert reach_in_words(Reach.NEAREST) in page
    hall.wait(40)
    with hall.at_now():
        page = client.get(reverse("queue", args=[hall.queue.slug])).content.decode()
    assert reach_in_words(Reach.FURTHER) in page
    assert "points" not in page.partition("stage-reach")[2].partition("</section>")[0]
