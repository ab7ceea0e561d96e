"""What is hidden cannot be reckoned either: strengths rebuilt from all that outsiders read do not tell of ratings."""

import pytest
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path

from ratings.models import Mode, Participant, Player
from tests.forms import often
from tests.hidden.inference.pool import make_pool
from tests.hidden.inference.study import Reached, study
from tests.hidden.test_hidden import pages

pytestmark = pytest.mark.django_db(transaction=True)
# `python -m tests.hidden.inference` looks closer, with 500.
PLAYERS = often(70, 200)
BOUND = 3.5 / PLAYERS**0.5  # three and a half times what luck gives with so many


def above(reached: list[Reached], bound: float) -> dict[tuple[str, str], str]:
    """Who knows how much, and whence."""
    return {
        (one.outsider, one.way): f"{one.correlation:.2f} from {one.clue}"
        for one in reached
        if one.correlation >= bound
    }


@pytest.mark.full
def test_nobody_can_reckon_what_is_hidden() -> None:
    pool = make_pool(Mode.NORMAL, players=PLAYERS, rounds=10)
    reached, heard = study(pool)
    assert len(reached) == 12
    assert above(reached, BOUND) == {}
    assert heard == {name: [] for name in heard}
    assert len(heard) == 3


@pytest.mark.full
def test_the_same_reading_reckons_what_a_ranked_ladder_shows() -> None:
    """Else what finds nothing would prove nothing."""
    pool = make_pool(Mode.RANKED, players=12, rounds=8)
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
    won = Count("participations", filter=Q(participations__rank=0))
    told = Player.objects.annotate(won=won).values_list("name", "won")
    return JsonResponse({"wins": [{"name": name, "of": of} for name, of in told]})


@pytest.mark.full
def test_new_pages_that_let_them_be_reckoned_are_found() -> None:
    # As many players as a table of figures needs to count as a clue, and a few more.
    pool = make_pool(Mode.NORMAL, players=44, rounds=3)
    with pages(path("matches/<int:pk>/met/", met), path("wins/", wins)):
        reached, _heard = study(pool)
    known = above(reached, 0.6)
    assert "met" in known["an anonymous visitor", "Elo"]
    assert "wins" in known["an anonymous visitor", "figures beside names"]
