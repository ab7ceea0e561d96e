"""Correcting a result, and deciding disputes of many teams: by places, with what would follow shown before."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import AuditEntry, User
from ratings.matches.decide import annul
from ratings.matches.report import report
from ratings.matches.result import Result
from ratings.matches.revising.correct import correct
from ratings.matches.start import start_match
from ratings.models import Correction, Match, MatchState, Participant
from tests.ratings.arena import Arena, Played, make_arena
from tests.ratings.replays import live, rate_all
from tests.ratings.squads import Fought, SquadArena, make_squads

pytestmark = pytest.mark.django_db


def page(match: Match, name: str) -> str:
    return reverse(f"admin:ratings_match_{name}", args=[match.pk])


def words_of(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def ranks_of(match: Match) -> list[int | None]:
    seats = Participant.objects.filter(match=match).order_by("team", "pk")
    return list(seats.values_list("rank", flat=True))


def rated_four() -> tuple[SquadArena, Match]:
    arena = make_squads(4, teams=4, size=1)
    arena.track("trueskill", shown=True)
    four = ((0,), (1,), (2,), (3,))
    match, _later = arena.fight(
        Fought(0, four, (0, 1, 2, 3), (9.0, 7.0, 5.0, 3.0)), Fought(1, four, (3, 2, 1, 0))
    )
    rate_all()
    return arena, match


def placed(*places: int | str, **more: Any) -> dict[str, Any]:
    return {f"place_{team}": place for team, place in enumerate(places)} | {"note": "why", **more}


def test_what_would_follow_is_shown_and_then_done(client: Client) -> None:
    arena, match = rated_four()
    address = page(match, "correct")
    assert address in client.get(page(match, "change")).content.decode()
    opened = client.get(address)
    form = opened.context["form"]
    assert [team.place.value() for team in form.rows] == [1, 2, 3, 4]
    assert [team.members[0].fields[0].value() for team in form.rows] == [9, 7, 5, 3]
    assert "Correct the result</button>" not in words_of(opened)
    sent = placed(2, 1, 2, 4, seen=0, **{f"minutes_{arena.players[0].pk}": "12.5"})
    shown = client.post(address, {**sent, "step": "preview"})
    preview = shown.context["preview"]
    assert (preview.replays.later, preview.replays.all, preview.players) == (1, 2, 4)
    assert "4 ratings would move" in words_of(shown)
    previewed = shown.context["form"]["previewed"].value()
    assert not Correction.objects.exists()
    # What was not shown is not done, but shown.
    other = client.post(address, {**sent, "place_3": "1", "step": "apply", "previewed": previewed})
    assert other.context["preview"].moved
    assert not Correction.objects.exists()
    done = client.post(address, {**sent, "step": "apply", "previewed": previewed}, follow=True)
    assert "The result is corrected." in words_of(done)
    assert "Corrections" in words_of(done)
    assert ranks_of(match) == [1, 0, 1, 3]
    seat = Participant.objects.get(match=match, player=arena.players[0])
    assert (seat.score, seat.minutes) == (9.0, 12.5)
    correction = Correction.objects.get()
    assert (correction.by, correction.reason) == (User.objects.get(username="olga"), "why")
    assert AuditEntry.objects.get(action="match.corrected").note == "why"
    rate_all()
    ratings = dict(live(arena, "trueskill").ratings.values_list("player_id", "value"))
    assert {one.player.pk: one.after for one in preview.moved} == ratings
    assert "All ratings are those with the corrected result." in words_of(
        client.get(page(match, "replays"))
    )


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        (placed(1, 2, 3, 4), "Nothing differs from the result that counts."),
        (placed(2, 2, 3, 4), "One team at least has the first place."),
        (placed(1, "", 3, 4), "Give every team a place."),
        (placed(1, 2, 3, 5), "less than or equal to 4"),
        (placed(1, 2, 4, 3, note=" "), "players read it on the match"),
        (placed(1, 2, 4, 3, seen=1), "Somebody else has corrected this match meanwhile."),
    ],
)
def test_what_is_wrong_is_said(client: Client, sent: dict[str, Any], words: str) -> None:
    _arena, match = rated_four()
    shown = client.post(page(match, "correct"), {"seen": 0, "step": "preview", **sent})
    assert words in words_of(shown)
    assert shown.context["preview"] is None


def test_the_second_of_two_moderators_is_told(client: Client) -> None:
    _arena, match = rated_four()
    address, sent = page(match, "correct"), placed(1, 2, 4, 3, seen=0)
    shown = client.post(address, {**sent, "step": "preview"})
    previewed = shown.context["form"]["previewed"].value()
    correct(match_id=match.pk, result=Result(ranks=(3, 2, 1, 0)), reason="first")
    told = client.post(address, {**sent, "step": "apply", "previewed": previewed})
    assert "Somebody else has corrected this match meanwhile." in words_of(told)
    assert ranks_of(match) == [3, 2, 1, 0]
    with CaptureQueriesContext(connection) as once:
        client.get(page(match, "change"))
    # Having been told, one may correct what the other has made of it.
    again = {**sent, "seen": told.context["form"]["seen"].value()}
    shown = client.post(address, {**again, "step": "preview"})
    again["previewed"] = shown.context["form"]["previewed"].value()
    client.post(address, {**again, "step": "apply"})
    assert ranks_of(match) == [0, 1, 3, 2]
    with CaptureQueriesContext(connection) as twice:
        assert "first" in words_of(client.get(page(match, "change")))
    assert len(twice) == len(once)
    annul(match_id=match.pk, by=None, note="x")
    assert "This match was annulled" in words_of(client.get(address))
    assert "This match was annulled" in words_of(client.post(address, sent))
    assert Correction.objects.count() == 2


def test_a_match_of_two_is_corrected_too(client: Client) -> None:
    arena: Arena = make_arena(2)
    arena.track("glicko", days=5, shown=True)
    (match,) = arena.play(Played(0, 0, 1, 1.0))
    rate_all()
    sent = placed(1, 1, seen=0)
    shown = client.post(page(match, "correct"), {**sent, "step": "preview"})
    previewed = shown.context["form"]["previewed"].value()
    client.post(page(match, "correct"), {**sent, "step": "apply", "previewed": previewed})
    assert ranks_of(match) == [0, 0]


def disputed_four() -> Match:
    arena = make_squads(4, teams=4, size=1)
    match = start_match(ladder=arena.ladder, teams=[[one.pk] for one in arena.players])
    for number, place in enumerate((1, 1, 3, 4)):
        report(match_id=match.pk, player_id=arena.players[number].pk, place=place)
    match.refresh_from_db()
    assert match.state == MatchState.DISPUTED
    return match


def test_a_dispute_of_many_is_decided_by_places(client: Client) -> None:
    match = disputed_four()
    opened = client.get(page(match, "resolve"))
    assert [team.place.value() for team in opened.context["form"].rows] == [1, 1, 3, 4]
    assert words_of(opened).count("<strong>1st</strong>") == 2
    wrong = client.post(page(match, "resolve"), placed(1, "", "", 4, outcome="placed"))
    assert "2 teams have no place yet." in words_of(wrong)
    wrong = client.post(page(match, "resolve"), placed(2, 2, 3, 4, outcome="placed"))
    assert "One team at least has the first place." in words_of(wrong)
    assert Match.objects.get(pk=match.pk).state == MatchState.DISPUTED
    client.post(page(match, "resolve"), placed(2, 1, 2, 4, outcome="placed"))
    assert Match.objects.get(pk=match.pk).state == MatchState.CONFIRMED
    assert ranks_of(match) == [1, 0, 1, 3]
    assert list(match.reports.filter(overruled=True).values_list("place", flat=True)) == [1]


def test_a_dispute_of_many_may_not_have_been_played(client: Client) -> None:
    match = disputed_four()
    client.post(page(match, "resolve"), placed(1, "", "", 4, outcome="not_played"))
    assert Match.objects.get(pk=match.pk).state == MatchState.ABORTED
