"""What queues would mean by their settings if another track of their ladder were shown."""

import pytest

from matchmaking.models import Queue, Strategy
from matchmaking.rescaling import characters_left_out, rescale
from ratings.models import Facet, Ladder, Mode, RatingTrack
from ratings.tuning import create_track
from tests.matchmaking.hall import make_hall

pytestmark = pytest.mark.django_db


def ladder_of(system: str = "elo", mode: str = Mode.RANKED, **columns: object) -> Ladder:
    hall = make_hall(system=system, mode=mode)
    Queue.objects.filter(pk=hall.queue.pk).update(
        gap_start=100, gap_per_second=5, gap_cap=400, **columns
    )
    return hall.ladder


def another(
    ladder: Ladder, system: str, *, days: float | None = None, facet: str = "", **own: float
) -> RatingTrack:
    return create_track(
        ladder=ladder,
        system=system,
        parameters=own,
        period_days=days,
        shown=facet != "",
        facet=facet,
    )


def said(ladder: Ladder) -> dict[str, tuple[str, str]]:
    found = rescale(another(ladder, "trueskill"))
    return {one.label: (one.value, one.alike) for queue in found for one in queue.settings}


def test_what_means_the_same_on_another_scale() -> None:
    assert said(ladder_of()) == {
        "Rating gap at the start": ("100", "2.1"),
        "Rating gap added per second": ("5", "0.11"),
        "Largest rating gap": ("400", "8.5"),
        "Points that a second is worth": ("5", "0.11"),
    }


def test_there_and_back() -> None:
    (queue,) = rescale(another(ladder_of("trueskill"), "elo"))
    assert queue.settings[0].alike == "4,700"


def test_the_same_scale_changes_nothing() -> None:
    ladder = ladder_of(strategy=Strategy.BUCKETS)
    assert rescale(another(ladder, "glicko", days=7)) == []


def test_where_nothing_is_shown_queues_go_by_the_track_that_runs() -> None:
    ladder = ladder_of("trueskill", Mode.NORMAL)
    assert not ladder.tracks.filter(shown=True).exists()
    assert rescale(ladder.tracks.get()) == []
    (queue,) = rescale(another(ladder, "elo"))
    assert queue.settings[0].alike == "4,700"


def test_only_borders_depend_on_where_ratings_begin() -> None:
    ladder = ladder_of(strategy=Strategy.BUCKETS, settings={"buckets": {"borders": "1400, 1600.5"}})
    (queue,) = rescale(another(ladder, "elo", start=1000.0))
    (borders,) = queue.settings
    assert (borders.value, borders.alike) == ("1,400; 1,600.5", "900; 1,100")


def test_borders_of_buckets_lie_as_far_from_newcomers() -> None:
    ladder = ladder_of(strategy=Strategy.BUCKETS, settings={"buckets": {"borders": "1500, 1600"}})
    assert said(ladder)["Borders of the skill classes"] == ("1,500; 1,600", "25; 27.1")


def test_what_is_not_used_is_left_out() -> None:
    maps = {"maps": {"names": "Canyon; River", "newcomer_points": 50.0}}
    assert set(said(ladder_of(strategy=Strategy.FCFS, settings=maps))) == {
        "Points for not knowing a map"
    }


def test_maps_and_teams() -> None:
    ladder = ladder_of(settings={"maps": {"names": "Canyon; River +15", "newcomer_points": 50.0}})
    Ladder.objects.filter(pk=ladder.pk).update(team_size=5)
    names = said(ladder)
    assert names["Worth of the side on River"] == ("15", "0.32")
    assert names["Points for not knowing a map"] == ("50", "1.1")
    assert names["Spread added per second"] == ("5", "0.11")
    assert "Worth of the side on Canyon" not in names


def test_queues_of_other_ladders_are_left_out() -> None:
    make_hall()
    assert len(rescale(another(ladder_of(), "trueskill"))) == 1


def test_ratings_of_characters_count_with_their_own_system_only() -> None:
    hall = make_hall()
    wanted = another(hall.ladder, "trueskill")
    assert not characters_left_out(wanted)
    another(hall.ladder, hall.track.system, facet=Facet.CHARACTER)
    assert characters_left_out(wanted)
    assert not characters_left_out(hall.track)
    RatingTrack.objects.filter(pk=hall.track.pk).update(shown=False)
    RatingTrack.objects.filter(pk=wanted.pk).update(shown=True)
    assert not characters_left_out(hall.track)
