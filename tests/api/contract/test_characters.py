"""Characters that games tell with results: kept, shown, and rated apart."""

from typing import Any

import pytest

from foundation import clock
from ratings.models import Facet, Ladder, MatchState, Participant, RatingTrack
from ratings.runs.run import rate_track
from ratings.tracks.parameters import create_track
from tests.api.views.test_teams import NAMES, make_ladder, post, result
from tests.api.world import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def pairs(world: World) -> Ladder:
    return make_ladder(world, "pairs", team_size=2)


def characters_of(**match: Any) -> dict[str, str]:
    seats = Participant.objects.filter(**match)
    return dict(seats.values_list("player__external_id", "character"))


def test_results_tell_characters_and_they_are_rated_apart(world: World, pairs: Ladder) -> None:
    track: RatingTrack = create_track(
        ladder=pairs,
        system="trueskill",
        parameters={},
        period_days=None,
        shown=True,
        facet=Facet.CHARACTER,
    )
    told = {NAMES[0]: "Mage", NAMES[2]: "Élan"}
    first = result(world, 1, characters=told)
    assert post(world, "results", {"results": [first]})["results"][0]["status"] == "created"
    assert characters_of(match__external_id="squads-1") == {**dict.fromkeys(NAMES[:4], ""), **told}
    assert post(world, "results", {"results": [first]})["results"][0]["status"] == "known"
    other = {**first, "characters": {NAMES[0]: "Monk"}}
    assert post(world, "results", {"results": [other]})["results"][0]["status"] == "refused"
    with clock.at(world.site.now):
        rate_track(track.pk)
    rated = track.ratings.values_list("player__external_id", "facet")
    assert dict(rated) == {**dict.fromkeys(NAMES[:4], ""), **told}


def test_the_result_of_an_arranged_match_names_some(world: World, pairs: Ladder) -> None:
    post(world, "results", {"results": [result(world, 1)]})
    body = {"ladder": "pairs", "teams": [NAMES[:2], NAMES[2:4]]}
    match = post(world, "matches", body, 201)["id"]
    Participant.objects.filter(match=match).update(character="Thief")
    given = {"ranks": [0, 1], "characters": {NAMES[1]: "Mage"}, "minutes": {NAMES[2]: 3}}
    assert post(world, f"matches/{match}/result", given)["state"] == MatchState.CONFIRMED
    found = characters_of(match=match)
    assert found == {**dict.fromkeys(NAMES[:4], "Thief"), NAMES[1]: "Mage", NAMES[2]: "Thief"}


@pytest.mark.parametrize(
    ("characters", "words"),
    [
        ({NAMES[5]: "Mage"}, NAMES[5]),
        ({NAMES[0]: "M" * 61}, "60"),
        ({NAMES[0]: "Ma\nge"}, "printable"),
        ({NAMES[0]: 7}, "text"),
        (["Mage"], "object"),
    ],
)
def test_wrong_characters_refuse_the_match(
    world: World, pairs: Ladder, characters: Any, words: str
) -> None:
    told = post(world, "results", {"results": [result(world, 1, characters=characters)]})
    assert told["results"][0]["status"] == "refused"
    assert words in told["results"][0]["detail"]
