"""Whom an operator with a player of its own may suspend."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from foundation import clock
from ratings.matches.decide import abort
from ratings.matches.report import report
from ratings.matches.start import start_match
from ratings.models import MatchState, Outcome, SanctionKind, SuspendedFrom
from ratings.players.own_matters import OwnMatterError
from ratings.sanctions import impose, lift, suspended
from tests.ratings.admin.own_matters.deciding import give, merged
from tests.ratings.admin_cast import World, add_player

pytestmark = pytest.mark.django_db


def test_a_short_sanction_on_the_own_player_takes_nothing_from_a_long_one(
    world: World, anna: User, other: User
) -> None:
    """So they may impose it on themselves."""
    kind, what = SanctionKind.SUSPENDED, SuspendedFrom.ALL
    until = clock.now() + timedelta(hours=1)
    long = impose(player=world.anna, kind=kind, suspended_from=what, reason="x", by=other)
    impose(player=world.anna, kind=kind, suspended_from=what, reason="x", by=anna, until=until)
    assert suspended([world.anna.pk], what)[world.anna.pk] == long


@pytest.mark.parametrize("reports", [0, 1, 2])  # being played, reported, disputed
def test_nobody_suspends_whom_the_own_player_has_a_match_with(
    world: World, merger: User, other: User, reports: int
) -> None:
    """Who cannot report loses by silence."""
    give(merger, "add_sanction")
    kind, what = SanctionKind.SUSPENDED, SuspendedFrom.RESULTS
    own: dict[str, Any] = {"kind": kind, "suspended_from": what, "reason": "x"}
    before = impose(player=world.boris, by=other, **own)
    lift(sanction_id=before.pk, by=merger)
    carl = add_player(world.game, "Carl")
    impose(player=carl, by=merger, **own)
    match = start_match(ladder=world.ladder, teams=[[world.anna.pk], [world.boris.pk]])
    for player in (world.anna, world.boris)[:reports]:
        report(match_id=match.pk, player_id=player.pk, outcome=Outcome.WON)
    client = Client()
    client.force_login(merger)
    page = reverse("admin:ratings_sanction_impose", args=[world.boris.pk])
    assert "This concerns a player of your own" in client.get(page).content.decode()
    with pytest.raises(OwnMatterError):
        impose(player=world.boris, by=merger, **own)
    running = start_match(
        ladder=world.ladder, teams=[[carl.pk], [add_player(world.game, "Dora").pk]]
    )
    with pytest.raises(OwnMatterError):  # nor by what another is suspended from
        merged(carl, world.boris, merger, end_what_runs=True)
    running.refresh_from_db()
    assert running.state == MatchState.PLAYING  # what a refused merge would have ended goes on
    by_other = impose(player=world.boris, by=other, **own)
    with pytest.raises(OwnMatterError):
        lift(sanction_id=by_other.pk, by=merger)
    lift(sanction_id=by_other.pk, by=other)
    impose(player=world.anna, by=merger, **own)
    abort(match_id=match.pk, by=other, note="x")
    impose(player=world.boris, by=merger, **own)
