"""A clock that runs ahead hides nobody and closes nothing; what an earlier one has hidden and closed is put right."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client

from accounts.models import AuditEntry
from config.maintenance.repair import findings
from foundation import clock, timekeeping
from foundation.models import ClockPause, Heartbeat
from leaderboards.boards import refresh
from leaderboards.models import Board, Standing
from leaderboards.tasks import flip_due_standings
from ratings.models import DriftDate, Ladder, Match, Rating, RatingChange, RatingTrack, TrackState
from ratings.runs import run as runs
from ratings.tasks import rate_due_tracks
from tests.leaderboards.cast import make_cast
from tests.ratings.admin_cast import operator
from tests.ratings.arena import DAY, Played, make_arena

pytestmark = pytest.mark.django_db
FAR = timedelta(days=400)


def jump() -> None:
    """As if the clock had run ahead by 400 days since the last look."""
    assert timekeeping.is_steady()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE foundation_heartbeat SET at = at - interval '400 days'")


def listed() -> int:
    return Standing.objects.filter(listed=True).count()


def test_nobody_is_hidden_by_a_clock_that_runs_ahead() -> None:
    cast, now = make_cast(3), clock.now()
    cast.values([1600, 1500, 1400], last_played_at=now - FAR, as_of=now - FAR)
    with clock.at(now - FAR):
        refresh.refresh(cast.track.pk)
    assert listed() == 3
    jump()
    flip_due_standings()
    assert listed() == 3
    cast.rate({0: {"value": 1650, "last_played_at": now - FAR}})
    refresh.refresh(cast.track.pk)
    assert listed() == 3
    timekeeping.trust()
    flip_due_standings()
    assert listed() == 0


def test_whom_it_has_hidden_come_back_with_the_time() -> None:
    cast, now = make_cast(3), clock.now()
    cast.values([1600, 1500, 1400], last_played_at=now, as_of=now)
    refresh.refresh(cast.track.pk)
    with clock.at(now + FAR):  # nobody has noticed
        flip_due_standings()
    assert listed() == 0
    flip_due_standings()
    assert listed() == 3
    assert refresh.refresh_due() == 0


def test_repair_brings_back_whom_an_earlier_release_has_hidden() -> None:
    cast, now = make_cast(3), clock.now()
    cast.values([1600, 1500, 1400], last_played_at=now, as_of=now)
    refresh.refresh(cast.track.pk)
    with clock.at(now + FAR):
        flip_due_standings()
    Board.objects.update(judged_to=None)  # as it was not kept
    flip_due_standings()
    assert listed() == 0
    told = StringIO()
    call_command("repair", "--look", stdout=told)
    assert (told.getvalue(), listed()) == ("3 players are hidden as inactive too early.\n", 0)
    call_command("repair", stdout=told)
    assert listed() == 3
    assert list(findings()) == []


def test_no_period_is_closed_by_a_clock_that_runs_ahead() -> None:
    arena, now = make_arena(2), clock.now()
    track = arena.track("glicko", days=7.0, shown=True)
    with clock.at(now - FAR):
        arena.play()
    _confirm(arena.play(Played(0, 0, 1, 1.0)), now - FAR)
    with clock.at(now - FAR):
        runs.rate_track(track.pk)
    jump()
    rate_due_tracks()
    assert runs.due_tracks() == []
    assert runs.rate_track(track.pk).periods == 0
    track.refresh_from_db()
    arena.ladder.refresh_from_db()
    assert track.closed_periods == 0
    assert arena.ladder.counted_until is not None
    assert arena.ladder.counted_until < now - FAR + 8 * DAY
    timekeeping.trust()
    assert runs.rate_track(track.pk).periods == 57


def _confirm(matches: list[Match], moment: object) -> None:
    ids = [match.pk for match in matches]
    Match.objects.filter(pk__in=ids).update(played_at=moment, confirmed_at=moment)


def test_repair_opens_the_periods_that_were_closed_ahead() -> None:
    """The ledger keeps what was rated; the track is rated anew beside it, with what came later."""
    arena, now = make_arena(3), clock.now()
    track = arena.track("glicko", days=7.0, shown=True)
    arena.track("elo")
    _confirm(arena.play(Played(0, 0, 1, 1.0)), now - 10 * DAY)
    _confirm(arena.play(Played(0, 0, 2, 1.0)), now - 1 * DAY)
    rate_due_tracks()
    with clock.at(now + FAR):  # nobody has noticed
        rate_due_tracks()
    _confirm(arena.play(Played(0, 1, 2, 1.0)), now)
    rate_due_tracks()
    ladder = Ladder.objects.get()
    assert ladder.counted_until is not None
    assert ladder.counted_until > now + FAR - 8 * DAY
    assert Match.objects.filter(counts_at__gt=now + DAY).count() == 1
    rows = RatingChange.objects.count()

    told = StringIO()
    call_command("repair", stdout=told)
    assert "which has not come yet" in told.getvalue()
    assert "counted anew: 1. Tracks recalculated, shown when they are done: 1." in told.getvalue()
    ladder.refresh_from_db()
    assert ladder.counted_until <= clock.now()
    assert not Match.objects.filter(counts_at__gt=clock.now()).exists()
    rate_due_tracks()
    fresh = RatingTrack.objects.get(system="glicko", state=TrackState.LIVE)
    assert (fresh.replaces_id, fresh.shown, fresh.rated_seq) == (track.pk, True, 1)
    assert RatingChange.objects.count() > rows  # nothing is taken from it
    assert not Rating.objects.filter(last_played_at__gt=clock.now()).exists()
    out = StringIO()
    with clock.at(now + 8 * DAY):
        rate_due_tracks()
        call_command("repair", stdout=out)
    fresh.refresh_from_db()
    assert fresh.rated_seq == 3  # those of the period that was closed too early, and the one after
    assert AuditEntry.objects.filter(action="ladder.reopened").count() == 1
    assert out.getvalue() == "Nothing is wrong.\n"


def test_repair_leaves_nobody_who_has_played_in_the_future() -> None:
    arena, now = make_arena(2), clock.now()
    arena.track("elo")
    matches = arena.play(Played(0, 0, 1, 1.0))
    _confirm(matches, now + FAR)
    with clock.at(now + FAR):
        rate_due_tracks()
    ahead = Rating.objects.filter(last_played_at__gt=now + DAY)
    assert ahead.count() == 2
    call_command("repair", stdout=StringIO())
    assert not ahead.exists()


def test_repair_recalculates_what_a_track_without_periods_has_dated_ahead() -> None:
    """Whatever came in while the clock was ahead: match, ledger and rating have the time of a year to come."""
    arena, now = make_arena(3), clock.now()
    track = arena.track("elo", shown=True)
    other = arena.track("trueskill")
    _confirm(arena.play(Played(0, 0, 1, 1.0)), now - DAY)
    rate_due_tracks()
    with clock.at(now + FAR):
        _confirm(arena.play(Played(0, 0, 2, 1.0)), now + FAR)
        rate_due_tracks()
    _confirm(arena.play(Played(0, 1, 2, 1.0)), now)
    rate_due_tracks()
    rows, values = list(RatingChange.objects.order_by("pk").values()), arena.values(track)
    assert RatingChange.objects.filter(at__gt=now + DAY).count() == 8

    told = StringIO()
    call_command("repair", "--look", stdout=told)
    assert told.getvalue().count("4 changes in the ledger of Go · ") == 2
    assert "Recalculate: from its first match" in told.getvalue()
    assert list(RatingChange.objects.order_by("pk").values()) == rows
    assert RatingTrack.objects.count() == 2

    call_command("repair", stdout=told)
    assert told.getvalue().count("It is being recalculated") == 2
    again = StringIO()
    call_command("repair", stdout=again)  # meanwhile it is not asked for once more
    assert again.getvalue() == "Nothing is wrong.\n"
    rate_due_tracks()
    fresh = {it.system: it for it in RatingTrack.objects.filter(state=TrackState.LIVE)}
    assert {it.replaces_id for it in fresh.values()} == {track.pk, other.pk}
    assert (fresh["elo"].shown, fresh["elo"].rated_seq) == (True, 3)
    assert arena.values(fresh["elo"]) == values
    live = RatingChange.objects.filter(track__state=TrackState.LIVE)
    assert live.count() == len(rows)
    assert not live.filter(at__gt=clock.now()).exists()
    kept = RatingChange.objects.filter(pk__in=[row["id"] for row in rows])
    assert list(kept.order_by("pk").values()) == rows
    late = Match.objects.order_by("pk")[1]
    assert late.confirmed_at is not None
    assert max(late.played_at, late.confirmed_at) <= clock.now()
    assert AuditEntry.objects.filter(action="track.replayed").count() == 2
    assert list(findings()) == []


def test_an_operator_trusts_the_clock_in_the_admin(client: Client) -> None:
    jump()
    flip_due_standings()  # a worker notices
    assert client.get("/health/ready").json()["clock"] is False
    client = operator()
    page = client.get("/admin/").content.decode()
    assert "The clock jumped" in page
    assert (
        "Trust the clock"
        in client.get("/admin/foundation/clockpause/True/change/").content.decode()
    )
    address = "/admin/foundation/clockpause/trust/"
    assert "The last steady time was" in client.get(address).content.decode()
    client.post(address, {"note": "set right by hand"})
    assert not ClockPause.objects.exists()
    assert AuditEntry.objects.get(action="clock.trusted").note == "set right by hand"
    assert client.get("/health/ready").json()["clock"] is True
    assert "The clock jumped" not in client.get("/admin/").content.decode()
    assert client.get("/admin/foundation/heartbeat/").status_code == 200
    assert client.get(address).status_code == 404


def test_an_operator_trusts_the_clock_by_a_command() -> None:
    jump()
    told = StringIO()
    call_command("repair", stdout=told)
    assert "The clock jumped by +400 days" in told.getvalue()
    assert ClockPause.objects.exists()
    call_command("repair", "--trust-clock", "--note", "it is right", stdout=told)
    assert not ClockPause.objects.exists()
    assert AuditEntry.objects.get(action="clock.trusted").note == "it is right"
    assert Heartbeat.objects.count() == 1


def test_repair_takes_back_dates_of_decay_that_came_ahead() -> None:
    arena, now = make_arena(3), clock.now()
    track = arena.track("elo", shown=True, inflation=5)
    _confirm(arena.play(Played(0, 0, 1, 1.0)), now)
    rate_due_tracks()
    before = arena.values(track)
    with clock.at(now + FAR):  # nobody has noticed
        rate_due_tracks()
    assert DriftDate.objects.filter(at__gt=now + DAY).count() > 50
    call_command("repair", stdout=StringIO())
    rate_due_tracks()
    replayed = RatingTrack.objects.get(state=TrackState.LIVE)
    assert replayed.replaces_id == track.pk
    assert arena.values(replayed) == before
    assert not DriftDate.objects.exists()
    with clock.at(now + 8 * DAY):
        rate_due_tracks()
    assert arena.values(replayed) == {who: value + 5 for who, value in before.items()}
