"""Simulated players join rounds, say whom they enjoyed playing with, write lines, and report who leaves."""

import random
from datetime import timedelta

import pytest

from demo.league import ROUNDS_IN
from demo.models import SimulatedPlayer
from demo.play import crowd, sociable, truth
from demo.play.taste import enjoys, tags_for
from demo.play.truth import Persona
from demo.season.season import make_season
from events.outbox import deliver
from foundation import clock
from matchmaking.models import (
    EntryState,
    Feedback,
    Offence,
    OffenceKind,
    Queue,
    Round,
    RoundEntry,
    RoundState,
    RoundTime,
)
from matchmaking.rounds.hold import hold_due_rounds
from moderation.models import PlayerReport
from people.models import Friendship
from tests.demo import test_live_play
from tests.demo.test_live_play import League

league = test_live_play.league


def personas(count: int, manners: float = 1.0) -> list[Persona]:
    return [Persona(f"sim-{n}", 1500.0, activity=1.0, manners=manners) for n in range(count)]


def likes(me: Persona, other: Persona) -> float:
    luck = random.Random(1)
    return sum(enjoys(me, other, luck) for _ in range(200)) / 200


def test_taste_is_of_the_two_and_nobody_likes_who_is_rude() -> None:
    me, *others = personas(30)
    shares = [likes(me, other) for other in others]
    # They are of two sorts to somebody: those whom one likes, and the others.
    assert {round(share) for share in shares} == {0, 1}
    rude = personas(30, manners=0.2)[1:]
    assert max(likes(me, other) for other in rude) < 0.4


def test_tags_go_with_the_word() -> None:
    luck = random.Random(1)
    nice = {tag for _ in range(100) for tag in tags_for(enjoyed=True, luck=luck)}
    bad = {tag for _ in range(100) for tag in tags_for(enjoyed=False, luck=luck)}
    assert nice
    assert bad
    assert not nice & bad


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_they_say_how_it_was_and_report_who_left(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    for chance in ("_SAYS_HOW_IT_WAS", "_REPORTS"):
        monkeypatch.setattr(sociable, chance, 1.0)
    monkeypatch.setattr(truth, "_LEAVES", 5.0)
    Queue.objects.exclude(slug="demo-blitz").update(is_open=False)  # so few meet rarely in many
    league.is_social = True
    left = Offence.objects.filter(kind=OffenceKind.LEFT)

    def is_said() -> bool:
        deliver()
        return Feedback.objects.exists() and PlayerReport.objects.exists() and left.exists()

    league.run(is_said)
    simulated = set(SimulatedPlayer.objects.values_list("player", flat=True))
    said = Feedback.objects.all()
    assert {one.author_id for one in said} | {one.subject_id for one in said} <= simulated
    report = PlayerReport.objects.select_related("match").latest("-pk")
    assert report.match is not None
    assert report.match.participants.get(player=report.reported).left_early


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_they_join_rounds_and_play_in_them(league: League, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowd, "_TO_ROUNDS", 1.0)
    monkeypatch.setattr(crowd, "_SPARE", 2)
    league.online = 2
    queue = Queue.objects.get(slug=ROUNDS_IN)
    time = RoundTime.objects.filter(queue=queue).latest("pk")
    played = RoundEntry.objects.filter(state=EntryState.SEARCHED, ticket__state="matched")

    def have_played() -> bool:
        hold_due_rounds()
        if not Round.objects.filter(state=RoundState.ANNOUNCED).exists():
            soon = clock.now() + timedelta(seconds=10)
            Round.objects.create(queue=queue, time=time, starts_at=soon)
        return played.count() > 1

    league.run(have_played)
    assert Round.objects.filter(state=RoundState.HELD).exists()


@pytest.mark.django_db
def test_the_season_has_friends_rounds_and_talk() -> None:
    make_season(players=24, matches=200, days=20.0, seed=2)
    friends = Friendship.objects.filter(agreed_at__isnull=False)
    assert friends.count() == 7
    assert RoundTime.objects.filter(queue__slug=ROUNDS_IN).count() == 96
    assert Queue.objects.get(slug=ROUNDS_IN).ladder.game.talk_rules.is_on
