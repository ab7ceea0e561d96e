"""Whom somebody avoids is told to the owner of the list and to whoever acts for the owner, and to nobody else."""

import pytest

from matchmaking.models import Avoided
from ratings.models import Mode
from tests.hidden.surfaces import Answer, ask_all, is_for_all_times
from tests.hidden.test_hidden import differences, plain
from tests.hidden.theatre import ACTS, Theatre, make_theatre

pytestmark = pytest.mark.django_db(transaction=True)
# Anna's own pages, and what the game's server asks for in her name.
HER_OWN = ("a player", "a player's page that asks for a part")


def is_lasting(route: str) -> bool:
    """Routes at which it matters who plays."""
    return not is_for_all_times(route)


def belongs_to_anna(answer: Answer, theatre: Theatre) -> bool:
    """Whether an answer is for Anna, or for a server that asked in her name."""
    name = theatre.people["Anna"].player.external_id
    asked = f"me/avoided?player={name}" in answer.address
    return answer.visitor in HER_OWN or (answer.visitor == "the game's server" and asked)


@pytest.mark.full
def test_nobody_else_learns_of_a_list() -> None:
    theatre = make_theatre(Mode.RANKED)
    for name in ("searching", "offered", "playing"):
        with theatre.at_now():
            ACTS[name](theatre)
    with theatre.at_now():
        before = list(ask_all(theatre, is_lasting))
        Avoided.objects.all().delete()
        after = list(ask_all(theatre, is_lasting))
    pairs = list(zip(before, after, strict=True))
    others = [pair for pair in pairs if not belongs_to_anna(pair[0], theatre)]
    own = [pair for pair in pairs if belongs_to_anna(pair[0], theatre)]
    assert len(others) > 300
    assert differences([plain(one) for one, _ in others], [plain(one) for _, one in others]) == []
    changed = {one.address for one, other in own if plain(one) != plain(other)}
    otto = theatre.people["Otto"].player.pk
    anna = theatre.people["Anna"].player.external_id
    assert changed >= {
        "/play/avoided/",
        f"/players/{otto}/",
        f"/api/v1/me/avoided?player={anna}",
    }
