"""Features that games declare, and what they tell by them."""

import math

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from ratings.behaviour.features import declare
from ratings.behaviour.give import UnknownFeatureError, check_features, give_behaviour
from ratings.matches.refusals import NotInMatchError
from ratings.models import MOST_FEATURES, Behaviour, Feature, Match
from tests.ratings.arena import Arena, Played, make_arena

pytestmark = pytest.mark.django_db


@pytest.fixture
def arena() -> Arena:
    return make_arena()


@pytest.fixture
def match(arena: Arena) -> Match:
    return arena.play(Played(1, 0, 1, 1.0))[0]


def told(match: Match) -> dict[int, dict[str, float]]:
    rows = Behaviour.objects.filter(participant__match=match)
    return dict(rows.values_list("participant__player", "features"))


def test_what_is_told_again_replaces_what_was(arena: Arena, match: Match) -> None:
    one, other = (player.pk for player in arena.players[:2])
    give_behaviour(match, {one: {"accuracy": 0.25, "deaths": 3}, other: {"accuracy": 0.5}})
    give_behaviour(match, {one: {"accuracy": 0.75}})
    assert told(match) == {one: {"accuracy": 0.75}, other: {"accuracy": 0.5}}


def test_who_is_not_in_the_match_did_nothing_there(arena: Arena, match: Match) -> None:
    one, stranger = arena.players[0].pk, arena.players[2].pk
    with pytest.raises(NotInMatchError):
        give_behaviour(match, {one: {"accuracy": 0.5}, stranger: {"accuracy": 0.5}})
    assert told(match) == {}


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1.1e12])
def test_only_finite_numbers_are_kept(arena: Arena, match: Match, value: float) -> None:
    with pytest.raises(ValueError, match="accuracy"):
        give_behaviour(match, {arena.players[0].pk: {"accuracy": value}})


def test_only_declared_names_are_taken(arena: Arena) -> None:
    declare(arena.game, "accuracy")
    check_features(arena.game.pk, {"anna": {"accuracy": 1.0}})
    with pytest.raises(UnknownFeatureError, match="aim") as caught:
        check_features(arena.game.pk, {"anna": {"accuracy": 1.0, "aim": 1.0}})
    assert caught.value.extra == {"feature": "aim"}
    assert "Declared are: accuracy." in str(caught.value)


def test_a_game_has_a_bounded_number_of_features(arena: Arena) -> None:
    for number in range(MOST_FEATURES):
        declare(arena.game, f"feature{number}")
    with pytest.raises(ValidationError, match=str(MOST_FEATURES)):
        declare(arena.game, "one_more")
    feature, is_new = declare(arena.game, "feature0", description="Changed.")
    assert (feature.description, is_new) == ("Changed.", False)


@pytest.mark.parametrize("name", ["", "Accuracy", "1st", "a-b", "ä", "a" * 41, "a\n"])
def test_names_are_plain(arena: Arena, name: str) -> None:
    with pytest.raises(ValidationError):
        declare(arena.game, name)
    with pytest.raises(Exception) as caught, transaction.atomic():  # noqa: PT011
        Feature.objects.create(game=arena.game, name=name)
    assert isinstance(caught.value, IntegrityError) or "too long" in str(caught.value)


def test_what_is_easy_to_fake_is_used_only_if_asked(
    arena: Arena, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("declare_feature", "go", "apm")
    assert "easy to fake" in capsys.readouterr().out
    apm = Feature.objects.get(name="apm")
    assert (apm.easy_to_fake, apm.is_used) == (True, False)
    call_command("declare_feature", "go", "apm", "--use", "--description", "Keys pressed.")
    apm.refresh_from_db()
    assert (apm.easy_to_fake, apm.is_used, apm.description) == (True, True, "Keys pressed.")
    accuracy, _is_new = declare(arena.game, "accuracy")
    assert (accuracy.easy_to_fake, accuracy.is_used) == (False, True)


def test_commands_name_what_there_is_not() -> None:
    with pytest.raises(CommandError, match="chess"):
        call_command("declare_feature", "chess", "accuracy")
