"""Tracks that rate each map, or each character, apart: as if each competitor were a player of its own."""

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction

from foundation import clock
from leaderboards.boards import refresh
from leaderboards.models import Standing
from ratings.ledger.predictions import read_predictions
from ratings.matches.revising.annulment_preview import preview_annulment
from ratings.models import Facet, Rating, RatingChange, RatingTrack, Status
from ratings.tracks.comparison import compare
from ratings.tracks.parameters import create_track
from tests.ratings.arena import DAY, START, Arena, Played, make_arena, random_history
from tests.ratings.facet_arena import VALUES, alias, choose, dress, picks_of, story_of
from tests.ratings.replays import annul, rate_all
from tests.ratings.squads import make_squads, random_fights

pytestmark = pytest.mark.django_db
SYSTEMS: list[tuple[str, float | None]] = [
    ("elo", None), ("elo", 4.0), ("glicko", 4.0), ("glicko2", 4.0), ("trueskill", None)
]  # fmt: skip
KINDS = [Facet.MAP, Facet.CHARACTER]


def check_at_once() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def apart(arena: Arena, kind: str, system: str = "elo", days: float | None = None) -> RatingTrack:
    return create_track(
        ladder=arena.ladder, system=system, parameters={}, period_days=days, shown=False, facet=kind
    )


def played_apart(
    kind: str, system: str, days: float | None, history: list[Played], *steps: float, **rules: Any
) -> tuple[Arena, RatingTrack]:
    arena = make_arena(6, slug="apart", **rules)
    track = apart(arena, kind, system, days)
    dress(kind, arena.play(*history), choose(kind, len(history), 2))
    for day in (*steps, 10_000):
        arena.rate(track, day=day)
    return arena, track


def played_as_aliases(
    kind: str, system: str, days: float | None, history: list[Played], **rules: Any
) -> tuple[Arena, RatingTrack]:
    arena = make_arena(6 * len(VALUES), slug="aliases", **rules)
    track = arena.track(system, days=days)
    arena.play(*alias(history, choose(kind, len(history), 2)))
    arena.rate(track)
    return arena, track


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("system", "days"), SYSTEMS)
def test_competitors_are_rated_as_players_of_their_own(
    kind: str, system: str, days: float | None
) -> None:
    history = random_history(160, 6, days=40)
    rules = {"pool_minimum": 1}  # the only number of players that is one of competitors too
    arena, track = played_apart(kind, system, days, history, **rules)
    aliases, plain = played_as_aliases(kind, system, days, history, **rules)
    found = story_of(arena, track, apart=True)
    assert found == story_of(aliases, plain, apart=False)
    assert len(found[0]) == 6 * len(VALUES)
    assert track.pool_grown_from == plain.pool_grown_from


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("system", "days"), [("elo", None), ("glicko", 4.0)])
def test_a_pool_has_grown_when_it_has_the_players_however_many_ratings_they_hold(
    kind: str, system: str, days: float | None
) -> None:
    history = random_history(120, 2, days=40)
    picks = choose(kind, 120, 2)
    for players, has_grown in ((2, True), (3, False)):
        arena = Arena(2, slug=f"pool-{players}", established_after=1, pool_minimum=players)
        track = apart(arena, kind, system, days)
        dress(kind, arena.play(*history), picks)
        arena.rate(track)
        assert (track.pool_grown_from is not None) == has_grown
        assert track.ratings.filter(status=Status.ESTABLISHED).count() > 3


@pytest.mark.parametrize(("system", "days"), [("elo", None), ("glicko2", 4.0)])
def test_maps_are_rated_as_ladders_of_their_own(system: str, days: float | None) -> None:
    begin = [Played(0.0, 0, 1, 1.0)] * len(VALUES)
    history = [*begin, *random_history(120, 6, days=40)]
    picks = [[name] * 2 for name in VALUES] + list(choose(Facet.MAP, 120, 2))
    arena = make_arena(6, slug="apart")
    track = apart(arena, Facet.MAP, system, days)
    dress(Facet.MAP, arena.play(*history), picks)
    arena.rate(track)
    for name in VALUES:
        alone = make_arena(6, slug=f"only-{VALUES.index(name)}")
        single = alone.track(system, days=days)
        kept = [one for one, row in zip(history, picks, strict=True) if row[0] == name]
        alone.play(*kept)
        alone.rate(single)
        columns = ("value", "deviation", "volatility", "games", "wins", "draws", "losses", "status")
        ours = track.ratings.filter(facet=name).order_by("player__name")
        theirs = single.ratings.order_by("player__name")
        assert list(ours.values_list(*columns)) == list(theirs.values_list(*columns)) != []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("system", "days"), [("elo", None), ("glicko2", 4.0)])
def test_runs_may_be_cut_anywhere(kind: str, system: str, days: float | None) -> None:
    history = random_history(120, 6, days=40)
    whole = story_of(*played_apart(kind, system, days, history), apart=True)
    with transaction.atomic():
        other = make_arena(6, slug="cut")
        track = apart(other, kind, system, days)
        picks = choose(kind, 120, 2)
        for start in range(0, 120, 25):
            part = slice(start, start + 25)
            dress(kind, other.play(*history[part]), picks[part])
            other.rate(track, day=history[min(start + 24, 119)].day)
        other.rate(track)
    assert story_of(other, track, apart=True) == whole


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("system", "days"), [("elo", None), ("glicko", 4.0)])
def test_a_replay_gives_the_bits_of_a_history_without_the_match(
    kind: str, system: str, days: float | None
) -> None:
    history = random_history(80, 6, days=30)
    arena, _track = played_apart(kind, system, days, history)
    gone = 33
    (replay_id,) = annul(arena.ladder.matches.get(ladder_seq=gone + 1))
    rate_all()
    replay = RatingTrack.objects.get(pk=replay_id)
    assert (replay.state, replay.facet) == ("live", kind)
    kept = [place for place in range(80) if place != gone]
    clean = make_arena(6, slug="clean")
    plain = apart(clean, kind, system, days)
    picks = picks_of(choose(kind, 80, 2), kept)
    dress(kind, clean.play(*(history[place] for place in kept)), picks)
    clean.rate(plain)
    assert story_of(arena, replay, apart=True) == story_of(clean, plain, apart=True)


@pytest.mark.parametrize("kind", KINDS)
def test_teams_are_rated_apart_too(kind: str) -> None:
    history = random_fights(80, 8, days=30)
    picks = choose(kind, 80, 4)
    squads, aliases = make_squads(8), make_squads(8 * len(VALUES), slug="aliases")
    track, plain = apart(squads, kind, "trueskill"), aliases.track("trueskill")
    dress(kind, squads.fight(*history), picks)
    aliases.fight(*alias(history, picks))
    squads.rate(track)
    aliases.rate(plain)
    assert story_of(squads, track, apart=True) == story_of(aliases, plain, apart=False)
    ours, theirs = read_predictions(track), read_predictions(plain)
    assert ours.predicted.tolist() == theirs.predicted.tolist()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("system", "days"), [("elo", None), ("glicko", 4.0)])
def test_predictions_and_figures_are_those_of_competitors(
    kind: str, system: str, days: float | None
) -> None:
    history = random_history(120, 6, days=40)
    _arena, track = played_apart(kind, system, days, history)
    _aliases, plain = played_as_aliases(kind, system, days, history)
    ours, theirs = read_predictions(track), read_predictions(plain)
    assert ours.predicted.tolist() == theirs.predicted.tolist()
    assert len(ours) == 120
    (one,), (other,) = compare([track], 0.25).figures, compare([plain], 0.25).figures
    assert (one.report, one.settling, one.swing) == (other.report, other.settling, other.swing)


def test_what_annulling_does_is_told_of_the_match_s_own_values() -> None:
    arena = make_arena(2)
    by_map, by_character = (
        apart(arena, Facet.MAP, days=4.0),
        apart(arena, Facet.CHARACTER, days=4.0),
    )
    matches = arena.play(Played(1, 0, 1, 1), Played(2, 0, 1, 1))
    dress(Facet.MAP, matches, [["Ape"] * 2, ["Zeal"] * 2])
    dress(Facet.CHARACTER, matches, [["Ape", "Zeal"], ["Zeal", "Zeal"]])
    arena.rate(by_map)
    arena.rate(by_character)
    matches[0].refresh_from_db()
    found = {one.track.pk: one.changes for one in preview_annulment(matches[0]).tracks}
    assert [row.facet for row in found[by_map.pk]] == ["Ape", "Ape"]
    first, second = sorted(found[by_character.pk], key=lambda row: row.player_id)
    assert (first.facet, first.games, second.facet, second.games) == ("Ape", 1, "Zeal", 2)


def test_only_players_as_a_whole_have_standings() -> None:
    arena = make_arena(2, lists_provisional=True)
    track = create_track(
        ladder=arena.ladder, system="elo", parameters={}, period_days=None, shown=True, facet="map"
    )
    dress(Facet.MAP, arena.play(Played(1, 0, 1, 1)), [["Ape"] * 2])
    arena.rate(track)
    with clock.at(START + DAY):
        assert refresh.refresh_due() == refresh.refresh(track.pk) == 0
    rating = Rating.objects.filter(track=track)[0]
    assert not Rating.objects.public().exists()
    assert Rating.objects.public_of_any_facet().count() == 2
    check_at_once()
    row = Standing(
        rating=rating, track=track, player=rating.player, order_value=1, listed=True, hidden_as=1
    )
    with pytest.raises(IntegrityError, match="standing_of_rating"):
        row.save(force_insert=True)


def test_a_rating_with_changes_stays_and_a_change_needs_its_rating() -> None:
    arena = make_arena(2)
    track = apart(arena, Facet.MAP)
    dress(Facet.MAP, arena.play(Played(1, 0, 1, 1)), [["Ape"] * 2])
    arena.rate(track)
    rating, change = Rating.objects.filter(track=track)[0], RatingChange.objects.first()
    assert change is not None
    check_at_once()
    with pytest.raises(IntegrityError, match="still referred to"), transaction.atomic():
        rating.delete()
    change.pk, change.kind, change.match_id, change.facet = None, "manual", None, "Zeal"
    with pytest.raises(IntegrityError, match="a rating and a period"), transaction.atomic():
        change.save(force_insert=True)


def test_what_is_rated_apart_must_be_known() -> None:
    with pytest.raises(ValidationError, match="weather"):
        apart(make_arena(2), "weather")
