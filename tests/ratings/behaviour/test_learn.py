"""Learning from behaviour: when, from whom, and what is kept of it."""

from datetime import timedelta

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from foundation import clock
from ratings.behaviour.estimate import estimate, estimates_of
from ratings.behaviour.features import declare
from ratings.behaviour.learn import due_tracks, learn_track
from ratings.behaviour.read import read_established
from ratings.models import (
    Behaviour,
    BehaviourModel,
    Mode,
    Participant,
    Player,
    Rating,
    RatingChange,
    Status,
)
from ratings.systems.behaviour import WINDOWS
from ratings.tasks import learn_from_behaviour
from tests.ratings.arena import Arena, make_arena
from tests.ratings.behaviour.told import tell, told_arena
from tests.worlds import shared

pytestmark = pytest.mark.django_db


@shared
def arena() -> Arena:
    """Its track has learned."""
    found, track = told_arena()
    learn_track(track.pk)
    return found


def models() -> list[BehaviourModel]:
    return list(BehaviourModel.objects.order_by("matches"))


def newcomer(arena: Arena) -> Player:
    return Player.objects.create(game=arena.game, external_id="new", name="new", skeleton="new")


def test_there_is_a_model_for_each_number_of_matches(arena: Arena) -> None:
    made = models()
    assert [model.matches for model in made] == list(WINDOWS)
    for model in made:
        assert model.features == ["accuracy", "luck"], "what is easy to fake is left out"
        assert model.players > 50
        assert set(model.errors) == {"start", "mean", "ridge", "boosting"}
        assert set(model.folds) == set(model.errors)
    ten = made[-1]
    assert ten.chosen
    assert ten.error is not None
    assert ten.error < 0.7 * ten.errors["mean"]
    accuracy, luck = ten.worth
    assert accuracy > 10 * abs(luck)


def test_ratings_are_as_they_were(arena: Arena) -> None:
    before = list(Rating.objects.order_by("pk").values())
    ledger = list(RatingChange.objects.order_by("pk").values())
    track = BehaviourModel.objects.all()[0].track
    learn_track(track.pk)
    estimates_of(arena.players[0])
    assert list(Rating.objects.order_by("pk").values()) == before
    assert list(RatingChange.objects.order_by("pk").values()) == ledger


def test_newcomers_are_estimated_by_their_last_matches(arena: Arena) -> None:
    player = newcomer(arena)
    assert estimates_of(player) == []
    tell(arena, player, *[{"accuracy": 9.0, "luck": 0.0}] * 10, *[{"accuracy": 1.5}] * 10)
    (found,) = estimates_of(player)
    assert (found.ladder, found.matches) == (arena.ladder, 10)
    assert found.error == found.model.error
    # What is not told counts as the mean: the same given directly.
    given = estimate(arena.ladder, [{"accuracy": 1.5}] * 10)
    assert given is not None
    assert found.rating == given.rating
    low = estimate(arena.ladder, [{"accuracy": -1.5}] * 10)
    assert low is not None
    assert found.rating > low.rating + 50


def test_few_matches_are_read_by_the_model_of_as_many(arena: Arena) -> None:
    used = {model.matches for model in models() if model.chosen}
    for told in (1, 2, 3, 9, 10):
        found = estimate(arena.ladder, [{"accuracy": 1.0}] * told)
        expected = max((one for one in used if one <= told), default=None)
        assert (found and found.matches) == expected


def test_behaviour_that_names_nothing_known_says_nothing(arena: Arena) -> None:
    assert estimate(arena.ladder, [{"apm": 1500.0}] * 10) is None


def test_annulled_matches_tell_nothing(arena: Arena) -> None:
    player = newcomer(arena)
    for match in tell(arena, player, *[{"accuracy": 1.0}] * 10):
        match.state = "annulled"
        match.save()
    assert estimates_of(player) == []


def test_reads_the_last_matches_of_those_who_are_established(arena: Arena) -> None:
    track = BehaviourModel.objects.all()[0].track
    one = arena.players[7]
    Rating.objects.filter(player=arena.players[8]).update(status=Status.PROVISIONAL)
    told = read_established(track, ["luck", "accuracy"])
    players = sorted(
        Rating.objects.filter(status=Status.ESTABLISHED).values_list("player", flat=True)
    )
    assert len(told.ratings) == len(players)
    rows = Behaviour.objects.filter(participant__player=one).order_by("-participant__match_id")[:10]
    expected = [[row.features["luck"], row.features["accuracy"]] for row in reversed(rows)]
    number = players.index(one.pk)
    np.testing.assert_array_equal(told.values[told.player == number], expected)
    assert told.ratings[number] == Rating.objects.get(player=one).value


def test_learns_anew_once_a_day_where_more_was_told(arena: Arena) -> None:
    made = models()[0].made_at
    track = models()[0].track_id
    with clock.at(made + timedelta(days=2)):
        Behaviour.objects.update(given_at=made - timedelta(hours=1))
        assert due_tracks() == []
        Behaviour.objects.filter(participant=Participant.objects.all()[0]).update(
            given_at=made + timedelta(minutes=5)
        )
        assert due_tracks() == [track]
    with clock.at(made + timedelta(hours=1)):
        assert due_tracks() == []


def test_other_features_are_learned_at_once(arena: Arena) -> None:
    track = models()[0].track_id
    Behaviour.objects.update(given_at=models()[0].made_at - timedelta(hours=1))
    declare(arena.game, "apm", is_used=True)
    assert due_tracks() == [track]
    learn_from_behaviour()
    assert models()[0].features == ["accuracy", "apm", "luck"]
    assert due_tracks() == []


def test_without_features_in_use_nothing_is_kept(arena: Arena) -> None:
    arena.game.features.update(is_used=False)
    assert due_tracks() == []
    assert models() == []


def test_what_players_may_not_see_is_not_learned(arena: Arena) -> None:
    track = models()[0].track_id
    arena.ladder.mode = Mode.NORMAL
    arena.ladder.save()
    assert estimate(arena.ladder, [{"accuracy": 1.0}] * 10) is None
    assert due_tracks() == []
    assert learn_track(track) == []
    assert models() == []


def test_a_model_is_in_use_only_if_it_is_better(arena: Arena) -> None:
    model = models()[-1]
    for wrong in ({"gain_at_least": -0.1}, {"learned": None}, {"chosen": "forest"}, {"chosen": ""}):
        with pytest.raises(IntegrityError), transaction.atomic():
            BehaviourModel.objects.filter(pk=model.pk).update(**wrong)


def test_the_command_shows_errors_by_fold(arena: Arena, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("learn_behaviour", arena.ladder.slug)
    shown = capsys.readouterr().out
    ten = models()[-1]
    for name, error in ten.errors.items():
        assert name in shown
        assert f"{error:.1f}" in shown
    assert all(f"{error:.1f}" in shown for error in ten.folds["ridge"])
    assert f"accuracy {ten.worth[0]:.1f}" in shown


def test_the_command_says_what_is_missing() -> None:
    arena = make_arena()
    with pytest.raises(CommandError, match="shows no ratings"):
        call_command("learn_behaviour", "go")
    arena.track(shown=True)
    with pytest.raises(CommandError, match="no feature"):
        call_command("learn_behaviour", "go")


def test_too_few_players_are_said_so(capsys: pytest.CaptureFixture[str]) -> None:
    told_arena(players=8, matches=40)
    call_command("learn_behaviour", "go")
    assert "it takes 50" in capsys.readouterr().out
    assert [model.chosen for model in models()] == ["", "", ""]
