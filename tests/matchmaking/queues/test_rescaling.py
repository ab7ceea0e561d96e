"""What queues would mean by their settings if another track of their ladder were shown."""

import html
import io
from pathlib import Path

import pytest
from django.core.management import call_command
from django.urls import reverse

from matchmaking.models import Queue
from matchmaking.queues.rescale import characters_left_out, misfits, misfits_on, rescale
from ratings.models import Facet, Ladder, Mode, RatingTrack
from ratings.tracks.parameters import create_track, warnings_of
from tests.matchmaking.hall import make_hall
from tests.ratings.admin_cast import operator

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
    ladder = ladder_of(strategy="buckets")
    assert rescale(another(ladder, "glicko", days=7)) == []


def test_where_nothing_is_shown_queues_go_by_the_track_that_runs() -> None:
    ladder = ladder_of("trueskill", Mode.NORMAL)
    assert not ladder.tracks.filter(shown=True).exists()
    assert rescale(ladder.tracks.get()) == []
    (queue,) = rescale(another(ladder, "elo"))
    assert queue.settings[0].alike == "4,700"


def test_only_borders_depend_on_where_ratings_begin() -> None:
    ladder = ladder_of(strategy="buckets", settings={"buckets": {"borders": "1400, 1600.5"}})
    (queue,) = rescale(another(ladder, "elo", start=1000.0))
    (borders,) = queue.settings
    assert (borders.value, borders.alike) == ("1,400; 1,600.5", "900; 1,100")


def test_borders_of_buckets_lie_as_far_from_newcomers() -> None:
    ladder = ladder_of(strategy="buckets", settings={"buckets": {"borders": "1500, 1600"}})
    assert said(ladder)["Borders of the skill classes"] == ("1,500; 1,600", "25; 27.1")


def test_what_is_not_used_is_left_out() -> None:
    maps = {"maps": {"names": "Canyon; River", "newcomer_points": 50.0}}
    assert set(said(ladder_of(strategy="fcfs", settings=maps))) == {"Points for not knowing a map"}


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


TOLD = (
    "Blitz: Rating gap at the start is 100, but on the scale of this ladder's ratings 2.1 is usual."
)


def waiting_for_a_track() -> Ladder:
    """A ladder whose queue was made while nothing rated it."""
    ladder = Ladder.objects.create(game=make_hall().ladder.game, slug="bare", name="Bare")
    Queue.objects.create(ladder=ladder, slug="bare", name="Blitz")
    return ladder


def run(*words: str) -> str:
    """What a command says on standard error."""
    errors = io.StringIO()
    call_command(*words, stdout=io.StringIO(), stderr=errors)
    return errors.getvalue()


def test_a_first_track_warns_of_queues_that_were_made_before_it() -> None:
    ladder = waiting_for_a_track()
    first = another(ladder, "trueskill")
    (told,) = warnings_of(first)
    assert told.startswith(TOLD)
    assert warnings_of(another(ladder, "elo")) == []  # queues do not go by a track in the shadow
    Queue.objects.filter(ladder=ladder).update(gap_start=2.0)
    assert warnings_of(first) == []


def test_a_queue_says_where_players_cannot_tell_what_is_rated() -> None:
    ladder = waiting_for_a_track()
    another(ladder, "zonestats")
    told = misfits(Queue.objects.get(ladder=ladder))
    assert any(words.startswith("ZoneStats rates figures of every player") for words in told)
    of_elo = misfits(Queue.objects.exclude(ladder=ladder).get())
    assert not any("never rated" in words for words in of_elo)


def test_a_track_that_takes_the_place_of_the_shown_one_is_looked_at_as_if_it_had() -> None:
    ladder = waiting_for_a_track()
    first = another(ladder, "elo")
    assert warnings_of(first) == []
    wanted = another(ladder, "trueskill")
    assert [queue.name for queue, _words in misfits_on(wanted)] == ["Blitz"]
    replay = RatingTrack(ladder=ladder, system="trueskill", replaces=first)
    replay.pk = wanted.pk
    assert len(warnings_of(replay)) == 1


def test_the_admin_warns_where_a_track_is_added() -> None:
    ladder = waiting_for_a_track()
    address = reverse("admin:ratings_ladder_add_track", args=[ladder.pk]) + "?system=trueskill"
    client = operator()
    form = client.get(address).context["form"]
    sent = {name: value for name, value in form.initial.items() if value is not False}
    page = client.post(address, {**sent, "period_days": ""}, follow=True)
    assert ladder.tracks.count() == 1
    assert TOLD in html.unescape(page.content.decode())


@pytest.mark.parametrize("command", ["add_track", "add_ladder", "import_matches"])
def test_commands_warn_where_they_add_a_track(command: str, tmp_path: Path) -> None:
    ladder = waiting_for_a_track()
    matches = tmp_path / "matches.csv"
    matches.write_text("date,player_a,player_b,score_a\n2026-01-01,Ann,Bob,1\n")
    options = ["--system=trueskill", "--period=none"]
    game = f"--game={ladder.game.slug}"
    words = {
        "add_track": ["--ladder=bare", *options],
        "add_ladder": ["bare", game, *options],
        "import_matches": [str(matches), "--ladder=bare", "--create", game, *options],
    }
    assert TOLD in run(command, *words[command])


def test_a_parameter_that_stretches_the_scale_warns() -> None:
    """The page that changes it does, from now on or as if always."""
    ladder = waiting_for_a_track()
    track = another(ladder, "elo")
    client, address = operator(), reverse("admin:ratings_ratingtrack_tune", args=[track.pk])
    form = client.get(address).context["form"]
    sent = {name: value for name, value in form.initial.items() if value is not False}
    sent |= {
        "class_interval": 10_000,
        "note": "wider",
        "step": "apply",
        "version": 1,
        "scope": "now",
    }
    page = client.post(address, sent, follow=True)
    assert "Blitz: Rating gap at the start is 100" in page.content.decode()
