"""What is hidden cannot be reckoned either: strengths rebuilt from all that outsiders read do not tell of ratings."""

import re

import pytest
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path

from ratings.models import Mode, Participant
from tests.hidden.inference.pool import make_pool
from tests.hidden.inference.study import Reached, study
from tests.hidden.test_hidden import pages

pytestmark = pytest.mark.django_db(transaction=True)
BOUND = 0.2


def above(reached: list[Reached], bound: float) -> dict[tuple[str, str], str]:
    """Who knows how much, and whence."""
    return {
        (one.outsider, one.way): f"{one.correlation:.2f} from {one.clue}"
        for one in reached
        if one.correlation >= bound
    }


def test_nobody_can_reckon_what_is_hidden() -> None:
    pool = make_pool(Mode.NORMAL, players=500, rounds=20)
    reached, heard = study(pool)
    assert len(reached) == 12
    assert above(reached, BOUND) == {}
    assert heard == {name: [] for name in heard}
    assert len(heard) == 3


def test_the_same_reading_reckons_what_a_ranked_ladder_shows() -> None:
    """Else what finds nothing would prove nothing."""
    pool = make_pool(Mode.RANKED, players=40, rounds=6)
    reached, heard = study(pool)
    known = above(reached, 0.8)
    for outsider in heard:
        assert (outsider, "Elo") in known
        assert (outsider, "Bradley-Terry") in known
    for outsider in ("an anonymous visitor", "another player"):
        assert any('"match.started"' in line for line in heard[outsider])


def met(request: HttpRequest, pk: int) -> HttpResponse:
    """A page that should not be: who met whom."""
    seats = Participant.objects.filter(match=pk).order_by("rank").select_related("player")
    return HttpResponse("<p>" + " beat ".join(seat.player.name for seat in seats) + "</p>")


def wins(request: HttpRequest) -> HttpResponse:
    """Another: how often everybody has won."""
    won = Participant.objects.filter(rank=0).values_list("player__name", flat=True)
    names = list(won)
    return JsonResponse({"wins": [{"name": name, "of": names.count(name)} for name in set(names)]})


@pytest.mark.parametrize(
    ("page", "way"),
    [
        (path("matches/<int:pk>/met/", met), "Elo"),
        (path("wins/", wins), "figures beside names"),
    ],
    ids=["who met whom", "how often they won"],
)
def test_a_new_page_that_lets_them_be_reckoned_is_found(page: object, way: str) -> None:
    pool = make_pool(Mode.NORMAL, players=40, rounds=6)
    with pages(page):
        reached, _heard = study(pool)
    known = above(reached, 0.6)
    assert ("an anonymous visitor", way) in known
    assert re.search("met|wins", known["an anonymous visitor", way])
