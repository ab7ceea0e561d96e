"""Whom an operator with a player of its own may give to another account."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from ratings.matches.decide import abort
from ratings.matches.report import report
from ratings.matches.start import start_match
from ratings.models import Outcome
from ratings.players.accounts import move_player
from tests.ratings.admin_cast import World, told

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("reports", [0, 1, 2])  # being played, reported, disputed
def test_nobody_moves_whom_the_own_player_has_a_match_with(
    world: World, merger: User, other: User, reports: int
) -> None:
    """Who had the player could report no more."""
    carl = User.objects.create_user("carl")
    match = start_match(ladder=world.ladder, teams=[[world.anna.pk], [world.boris.pk]])
    for player in (world.anna, world.boris)[:reports]:
        report(match_id=match.pk, player_id=player.pk, outcome=Outcome.WON)
    client, words = Client(), "This concerns a player of your own"
    client.force_login(merger)
    page = reverse("admin:ratings_player_move", args=[world.boris.pk])
    shown = client.get(page).content.decode()
    assert words in shown
    assert 'name="note"' not in shown
    assert words in told(client, page, {"account": "carl", "note": "x"})
    if merger.is_superuser:  # who may choose the account on the player's page as well
        page = reverse("admin:ratings_player_change", args=[world.boris.pk])
        opened_as = client.get(page).context["opened_as"]
        chosen = {"external_id": "boris", "name": "Boris", "user": carl.pk}
        sent = client.post(page, {**chosen, "opened_as": opened_as})
        assert words in sent.content.decode()
    world.boris.refresh_from_db()
    assert world.boris.user_id is None
    abort(match_id=match.pk, by=other, note="x")
    move_player(player=world.boris, to=carl, by=merger, note="x")
    world.boris.refresh_from_db()
    assert world.boris.user_id == carl.pk
