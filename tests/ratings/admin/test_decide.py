"""What operators decide of matches: disputes, abortions and annulments, each with a page before and a record after."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry, User
from ratings.matches import decide
from ratings.matches.report import report
from ratings.matches.result import Result
from ratings.matches.start import start_match
from ratings.models import Match, MatchState, Outcome, Participant, RatingTrack, TrackState
from tests.ratings.admin_cast import World, make_world, staff, told
from tests.ratings.arena import Arena, Played, make_arena
from tests.ratings.replays import live, rate_all
from tests.worlds import shared

pytestmark = pytest.mark.django_db


@shared
def world() -> World:
    return make_world(matches=2)


def start(world: World) -> Match:
    return start_match(ladder=world.ladder, teams=[[world.anna.pk], [world.boris.pk]])


def dispute(world: World) -> Match:
    match = start(world)
    for player in (world.anna, world.boris):
        report(match_id=match.pk, player_id=player.pk, outcome=Outcome.WON)
    return match


def page(match: Match, name: str) -> str:
    return reverse(f"admin:ratings_match_{name}", args=[match.pk])


def test_disputes_show_what_both_said(world: World, client: Client) -> None:
    match = dispute(world)
    shown = client.get(reverse("admin:ratings_match_disputes")).content.decode()
    assert shown.count("<strong>won</strong>") == 2
    assert page(match, "resolve") in shown


def test_many_disputes_take_no_more_queries(
    world: World, client: Client, django_assert_max_num_queries: Any
) -> None:
    for _ in range(3):
        dispute(world)
    with django_assert_max_num_queries(8):
        client.get(reverse("admin:ratings_match_disputes"))


@pytest.mark.parametrize(
    ("outcome", "state", "ranks"),
    [
        ("0", MatchState.CONFIRMED, [0, 1]),
        ("1", MatchState.CONFIRMED, [1, 0]),
        ("drawn", MatchState.CONFIRMED, [0, 0]),
        ("not_played", MatchState.ABORTED, [None, None]),
    ],
)
def test_a_dispute_is_decided(
    world: World, client: Client, outcome: str, state: str, ranks: list[int | None]
) -> None:
    match = dispute(world)
    client.post(page(match, "resolve"), {"outcome": outcome, "note": "saw the replay"})
    match.refresh_from_db()
    assert match.state == state
    seats = Participant.objects.filter(match=match).order_by("team")
    assert list(seats.values_list("rank", flat=True)) == ranks
    entry = AuditEntry.objects.get(action="match.dispute_resolved")
    assert (entry.target_id, entry.note) == (str(match.pk), "saw the replay")
    assert entry.actor == User.objects.get(username="olga")


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"outcome": "0", "note": " "}, "Say why"),
        ({"note": "why"}, "Choose how the match ended."),
        ({"outcome": "2", "note": "why"}, "2 is not one of the available choices"),
    ],
)
def test_a_dispute_needs_a_result_and_a_reason(
    world: World, client: Client, sent: dict[str, str], words: str
) -> None:
    match = dispute(world)
    assert words in client.post(page(match, "resolve"), sent).content.decode()
    match.refresh_from_db()
    assert match.state == MatchState.DISPUTED


def test_a_dispute_that_the_server_has_decided_meanwhile_stays_so(
    world: World, client: Client
) -> None:
    match = dispute(world)
    decide.confirm_by_server(match_id=match.pk, result=Result(ranks=(1, 0)))
    words = told(client, page(match, "resolve"), {"outcome": "0", "note": "why"})
    assert "This match is not disputed." in words
    assert "is: confirmed." in words
    assert not AuditEntry.objects.filter(action="match.dispute_resolved").exists()
    seats = Participant.objects.filter(match=match).order_by("team")
    assert list(seats.values_list("rank", flat=True)) == [1, 0]


def test_a_match_that_is_played_is_aborted(world: World, client: Client) -> None:
    match = start(world)
    assert "Left alone" in client.get(page(match, "abort")).content.decode()
    assert "aborted" in told(client, page(match, "abort"), {"note": "server crashed"})
    match.refresh_from_db()
    assert match.state == MatchState.ABORTED
    assert not Participant.objects.filter(match=match, playing=True).exists()
    assert AuditEntry.objects.get(action="match.aborted").note == "server crashed"


def test_of_two_operators_only_one_aborts(world: World, client: Client) -> None:
    match, other = start(world), User.objects.create_user("otto")
    decide.abort(match_id=match.pk, by=other, note="first")
    assert "already been decided" in told(client, page(match, "abort"), {"note": "second"})
    assert AuditEntry.objects.get(action="match.aborted").note == "first"


@pytest.mark.parametrize("name", ["resolve", "abort", "annul", "correct"])
def test_who_may_only_look_decides_nothing(world: World, name: str) -> None:
    match, clerk = dispute(world), staff("view_match")
    assert clerk.get(page(match, name)).status_code == 403
    assert clerk.post(page(match, name), {"outcome": "0", "note": "x"}).status_code == 403
    match.refresh_from_db()
    assert match.state == MatchState.DISPUTED
    shown = clerk.get(reverse("admin:ratings_match_disputes"))
    assert shown.status_code == 200
    assert page(match, "resolve") not in shown.content.decode()


@pytest.mark.parametrize("name", ["resolve", "abort", "annul", "correct", "replays"])
def test_strangers_are_sent_to_sign_in_and_other_staff_away(world: World, name: str) -> None:
    match = dispute(world)
    assert Client().post(page(match, name), {"note": "x"}).status_code == 302
    assert staff().get(page(match, name)).status_code == 403


def test_disputes_require_the_right_to_look(world: World) -> None:
    assert staff().get(reverse("admin:ratings_match_disputes")).status_code == 403


def test_the_page_of_a_match_offers_what_fits_its_state(world: World, client: Client) -> None:
    playing, disputed = start(world), None
    shown = client.get(page(playing, "change")).content.decode()
    assert page(playing, "abort") in shown
    assert page(playing, "annul") not in shown
    decide.abort(match_id=playing.pk)
    disputed = dispute(world)
    shown = client.get(page(disputed, "change")).content.decode()
    assert page(disputed, "resolve") in shown
    assert "Reports" in shown
    counted = Match.objects.get(ladder_seq=1)
    assert page(counted, "annul") in client.get(page(counted, "change")).content.decode()


def played_arena() -> tuple[Arena, list[Match]]:
    arena = make_arena(4)
    arena.track("elo", shown=True)
    arena.track("glicko", days=5)
    matches = arena.play(
        *(Played(day=n + 0.5, first=n % 3, second=3, score=float(n % 2)) for n in range(12))
    )
    rate_all(day=11.6)
    return arena, matches


def test_the_page_before_an_annulment_says_what_will_follow_and_does_nothing(
    client: Client,
) -> None:
    arena, matches = played_arena()
    before = arena.values(live(arena, "elo"))
    shown = client.get(page(matches[4], "annul"))
    preview = shown.context["preview"]
    assert (preview.later, preview.all, preview.replayed) == (7, 11, 2)
    text = shown.content.decode()
    assert "<strong>7 later matches</strong>" in text
    assert "by all 5 games of the period together" in text
    assert {change.player for row in preview.tracks for change in row.changes} == {
        arena.players[1],
        arena.players[3],
    }
    assert RatingTrack.objects.filter(state=TrackState.REPLAY).count() == 0
    assert arena.values(live(arena, "elo")) == before


@pytest.mark.parametrize("number", [0, 4, 11])
def test_what_is_predicted_comes_true(client: Client, number: int) -> None:
    """Also for the first match, from which periods are counted, and for one whose period is still open."""
    arena, matches = played_arena()
    preview = client.get(page(matches[number], "annul")).context["preview"]
    client.post(page(matches[number], "annul"), {"note": "played by somebody else"})
    replaced = RatingTrack.objects.filter(state=TrackState.REPLAY).values_list(
        "replaces", flat=True
    )
    assert set(replaced) == {row.track.pk for row in preview.tracks if row.is_replayed}
    assert arena.ladder.matches.filter(state=MatchState.CONFIRMED).count() == preview.all


def test_an_annulled_match_follows_its_replays_until_they_are_done(client: Client) -> None:
    arena, matches = played_arena()
    words = told(client, page(matches[4], "annul"), {"note": "played by somebody else"})
    assert "no longer counts" in words
    assert AuditEntry.objects.get(action="match.annulled").note == "played by somebody else"
    shown = client.get(page(matches[4], "change")).content.decode()
    assert shown.count("<progress") == 2
    assert 'hx-trigger="every 2s"' in shown
    assert "0 of 12 matches" in client.get(page(matches[4], "replays")).content.decode()
    rate_all(day=11.6)
    part = client.get(page(matches[4], "replays")).content.decode()
    assert "all ratings are those without it" in part
    assert "hx-trigger" not in part
    assert live(arena, "elo").generation == 2


def test_an_annulment_needs_a_reason(client: Client) -> None:
    _arena, matches = played_arena()
    assert "Say why" in client.post(page(matches[4], "annul"), {"note": ""}).content.decode()
    matches[4].refresh_from_db()
    assert matches[4].state == MatchState.CONFIRMED


def test_of_two_operators_only_one_annuls(client: Client) -> None:
    _arena, matches = played_arena()
    decide.annul(match_id=matches[4].pk, by=User.objects.create_user("otto"), note="first")
    words = told(client, page(matches[4], "annul"), {"note": "second"})
    assert "is: annulled." in words
    assert AuditEntry.objects.get(action="match.annulled").note == "first"


def test_what_does_not_count_cannot_be_annulled(world: World, client: Client) -> None:
    match = dispute(world)
    assert "Only a confirmed match" in client.get(page(match, "annul")).content.decode()
    assert "is: disputed." in told(client, page(match, "annul"), {"note": "x"})


def test_the_first_page_counts_what_waits_for_a_word(world: World, client: Client) -> None:
    dispute(world)
    shown = client.get(reverse("admin:index"))
    counts = shown.context["counts"]
    assert (counts.disputes, counts.waiting, counts.replays) == (1, 0, 0)
    assert "1 dispute to decide" in " ".join(shown.content.decode().split())


def test_the_first_page_counts_only_what_one_may_see(world: World) -> None:
    dispute(world)
    counts = staff("view_ticket").get(reverse("admin:index")).context["counts"]
    assert (counts.disputes, counts.waiting, counts.replays) == (None, 0, None)
    assert staff().get(reverse("admin:index")).context["counts"].is_empty


def test_deadlines_are_on_the_form_of_the_ladder(world: World, client: Client) -> None:
    address = reverse("admin:ratings_ladder_change", args=[world.ladder.pk])
    opened = client.get(address)
    form = opened.context["adminform"].form
    sent = {name: getattr(world.ladder, name) for name in form.fields if name != "note"}
    sent |= {"opened_as": opened.context["opened_as"], "note": "shorter"}
    sent = {name: value for name, value in sent.items() if value not in (None, False)}
    refused = client.post(address, {**sent, "report_minutes": 20_000}).content.decode()
    assert "Minutes until one report stands must be a whole number between 1 and 10,080" in refused
    client.post(address, {**sent, "report_minutes": 5, "abandon_minutes": 60})
    world.ladder.refresh_from_db()
    assert (world.ladder.report_minutes, world.ladder.abandon_minutes) == (5, 60)
    entry = AuditEntry.objects.get(action="ladder.changed")
    assert entry.after == {"report_minutes": 5, "abandon_minutes": 60}
    assert entry.note == "shorter"
