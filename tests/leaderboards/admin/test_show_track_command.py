"""`manage.py show_track`: what it says, does and refuses."""

import io

import pytest
from django.core.management import CommandError, call_command

from accounts.models import AuditEntry
from foundation import clock
from matchmaking.models import Queue
from ratings.models import RatingTrack
from ratings.tracks.promotion import shown_track
from tests.leaderboards.site import Site, make_site
from tests.ratings.arena import DAY, START, Played

pytestmark = pytest.mark.django_db
NIGHT = 30.0


def make_rated_site() -> tuple[Site, RatingTrack]:
    site = make_site(system="elo", days=None)
    other = site.arena.track("trueskill")
    site.arena.rate(other, day=NIGHT)
    Queue.objects.create(ladder=site.arena.ladder, slug="duel", name="Duel queue")
    return site, other


def run(*arguments: object) -> list[str]:
    out = io.StringIO()
    with clock.at(START + NIGHT * DAY):
        call_command("show_track", *(str(one) for one in arguments), stdout=out)
    return out.getvalue().splitlines()


def test_it_says_what_follows_and_shows_it() -> None:
    site, other = make_rated_site()
    told = run(other.pk, "--note=better")
    assert told[0] == "Duel queue: Rating gap at the start is 100; 2.1 would mean the same then."
    assert told[-1] == "Players see Go · trueskill now."
    assert shown_track(site.arena.ladder) == other
    entry = AuditEntry.objects.get(action="track.show_requested")
    assert (entry.actor, entry.note) == (None, "better")


def test_it_says_what_suits_neither_track() -> None:
    site = make_site(system="elo", days=None)
    other = site.arena.track("elo")
    site.arena.rate(other, day=NIGHT)
    Queue.objects.create(ladder=site.arena.ladder, slug="duel", name="Duel queue", gap_start=4)
    (told,) = run(other.pk, "--note=better", "--dry-run")
    assert told.startswith("Duel queue: Rating gap at the start is 4, but on the scale")


def test_a_dry_run_changes_nothing() -> None:
    site, other = make_rated_site()
    told = run(other.pk, "--note=better", "--dry-run")
    assert all("would mean the same then" in line for line in told)
    assert shown_track(site.arena.ladder) == site.track
    assert not AuditEntry.objects.filter(action="track.show_requested").exists()


def test_quiet() -> None:
    site, other = make_rated_site()
    assert run(other.pk, "--note=better", "--quiet") == []
    assert shown_track(site.arena.ladder) == other


def test_what_is_refused() -> None:
    site, _other = make_rated_site()
    late = site.arena.track("elo", k_new=50)
    with pytest.raises(CommandError, match="Players see Go · elo already"):
        run(site.track.pk, "--note=better")
    with pytest.raises(CommandError, match="has not caught up"):
        run(late.pk, "--note=better")
    with pytest.raises(CommandError, match="There is no track 123456789"):
        run(123456789, "--note=better")


def test_what_has_become_due_is_rated_first() -> None:
    site, other = make_rated_site()
    (match,) = site.play(Played(day=NIGHT, first=0, second=1, score=1.0))
    run(other.pk, "--note=better")
    assert shown_track(site.arena.ladder) == other
    assert other.changes.filter(match=match).count() == 2
