"""Which opponents of an operator with a player of its own may be merged, and unmerged."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from foundation import clock
from ratings.matches.report import report
from ratings.matches.start import start_match
from ratings.merging.unmerge import unmerge
from ratings.models import Match, Outcome, SanctionKind
from ratings.players.own_matters import OwnMatterError
from ratings.sanctions import impose, in_force
from tests.ratings.admin.own_matters.deciding import merged
from tests.ratings.admin_cast import World, add_player, told

pytestmark = pytest.mark.django_db
WORDS = "This concerns a player of your own"


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_nobody_merges_the_opponent_of_the_own_dispute_away(
    world: World, merger: User, other: User
) -> None:
    """Also from a day on that leaves it alone: who counts for another reports no more."""
    carl = add_player(world.game, "Carl")
    match = start_match(ladder=world.ladder, teams=[[world.anna.pk], [world.boris.pk]])
    for player in (world.anna, world.boris):
        report(match_id=match.pk, player_id=player.pk, outcome=Outcome.WON)
    now = clock.now()
    Match.objects.filter(pk=match.pk).update(played_at=now - timedelta(hours=1))
    with pytest.raises(OwnMatterError):
        merged(world.boris, carl, merger, since=now)
    world.boris.refresh_from_db()
    assert world.boris.merged_into_id is None
    merged(world.boris, carl, other, since=now)
    world.boris.refresh_from_db()
    assert world.boris.merged_into_id == carl.pk


def test_unmerging_says_first_that_it_lifts_a_sanction_of_the_opponent(
    world: World, merger: User, other: User
) -> None:
    carl = add_player(world.game, "Carl")
    impose(player=carl, kind=SanctionKind.WARNING, reason="x", by=other)
    merged(carl, world.boris, other)
    carl.refresh_from_db()
    page = reverse("admin:ratings_player_unmerge", args=[carl.pk])
    assert WORDS not in signed_in(merger).get(page).content.decode()
    start_match(ladder=world.ladder, teams=[[world.anna.pk], [world.boris.pk]])
    client = signed_in(merger)
    shown = client.get(page).content.decode()
    assert WORDS in shown
    assert 'name="note"' not in shown
    assert WORDS in told(client, page, {"note": "x"})
    assert in_force().filter(player=world.boris).exists()
    unmerge(player=carl, by=other, note="x")
    assert not in_force().filter(player=world.boris).exists()
