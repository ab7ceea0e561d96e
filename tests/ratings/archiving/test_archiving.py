"""Archiving: once, audited, refused where players would see a gap, and undone without a trace but in the log."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import AuditEntry, User
from events.models import Notice
from foundation.archiving import Archivable
from leaderboards.boards.refresh import refresh
from matchmaking.models import Queue
from ratings.archiving import (
    AlreadyArchivedError,
    ArchivedError,
    NotArchivedError,
    TrackIsShownError,
    archive,
    restore,
)
from ratings.importing import NewLadder, OptionError
from ratings.matches.played_match import PlayedMatch
from ratings.matches.record import record_results
from ratings.matches.report import report
from ratings.matches.start import start_match
from ratings.models import Ladder, Match, MatchState, Outcome, RatingTrack
from ratings.tracks.comparison import live_tracks
from ratings.tracks.promotion import NotPromotableError, can_be_requested, check_promotable
from tests.ratings.arena import START, Played, history_of, late, make_arena
from tests.ratings.match_files import FileRow, file_of, take_in
from tests.ratings.replays import annul, live, rate_all

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("declared")]


def test_it_is_done_once_and_stands_in_the_audit_log() -> None:
    arena, operator = make_arena(2), User.objects.create_user("olga", is_staff=True)
    queue = Queue.objects.create(ladder=arena.ladder, slug="go", name="Go")
    things: list[tuple[str, Archivable]] = [
        ("game", arena.game),
        ("ladder", arena.ladder),
        ("queue", queue),
        ("track", arena.track("elo")),
    ]
    for kind, thing in things:
        with pytest.raises(NotArchivedError):
            restore(thing, by=operator, note="x")
        archive(thing, by=operator, note="Over.")
        with pytest.raises(AlreadyArchivedError):
            archive(thing, by=operator, note="x")
        restore(thing, by=operator, note="On again.")
        thing.refresh_from_db()
        assert thing.archived_at is None
        entries = AuditEntry.objects.filter(action__startswith=f"{kind}.").order_by("pk")
        told = [(it.action, it.actor, it.note) for it in entries]
        assert told[-2:] == [
            (f"{kind}.archived", operator, "Over."),
            (f"{kind}.restored", operator, "On again."),
        ]
        gone, back = list(entries)[-2:]
        assert gone.before == back.after == {"archived_at": None}
        assert gone.after == back.before != {"archived_at": None}


def test_servers_of_the_game_are_told_but_not_of_tracks() -> None:
    arena = make_arena(2)
    queue = Queue.objects.create(ladder=arena.ladder, slug="go", name="Go")
    track = arena.track("elo")
    things: dict[str, Archivable] = {"game": arena.game, "ladder": arena.ladder, "queue": queue}
    for thing in (*things.values(), track):
        archive(thing, by=None)
        restore(thing, by=None)
    told = Notice.objects.filter(kind__regex=r"\.(archived|restored)$").order_by("id")
    assert [(it.kind, it.topics, it.ids) for it in told] == [
        (f"{name}.{verb}", [f"game:{arena.game.pk}"], {name: thing.pk})
        for name, thing in things.items()
        for verb in ("archived", "restored")
    ]


def test_nothing_new_begins_there_and_what_is_under_way_ends() -> None:
    arena = make_arena(4)
    track = arena.track("elo", shown=True)
    first, second, third, fourth = arena.players
    match = start_match(ladder=arena.ladder, teams=[[first.pk], [second.pk]])
    archive(arena.game, by=None)
    ladder = Ladder.objects.select_related("game").get(pk=arena.ladder.pk)
    assert ladder.is_archived
    result = PlayedMatch(
        ladder=ladder.slug,
        external_id="late",
        teams=[[third.external_id], [fourth.external_id]],
        ranks=[0, 1],
        played_at=START,
    )
    (recorded,) = record_results(game=arena.game, results=[result])
    assert isinstance(recorded.error, ArchivedError)
    assert recorded.error.extra == {"ladder": ladder.slug}
    with pytest.raises(OptionError, match="is archived"):
        take_in(file_of([FileRow("2020-01-01", "A", "B", "1")]), ladder=ladder.slug, create=None)
    new = NewLadder(game=arena.game.slug)
    with pytest.raises(OptionError, match="game 'go': is archived"):
        take_in(file_of([FileRow("2020-01-01", "A", "B", "1")]), ladder="fresh", create=new)
    told = report(match_id=match.pk, player_id=first.pk, outcome=Outcome.LOST)
    assert told.state == MatchState.CONFIRMED
    rate_all()
    track.refresh_from_db()
    assert track.ratings.count() == 2
    assert refresh(track.pk) == 2  # its board follows, and nobody sees it
    assert not RatingTrack.objects.public().exists()
    assert not Match.objects.visible_to().exists()
    restore(arena.game, by=None)
    assert RatingTrack.objects.public().get() == track
    assert Match.objects.visible_to().get() == match


def test_what_was_archived_by_itself_stays_so_when_the_game_is_restored() -> None:
    arena = make_arena(2)
    other = Ladder.objects.create(game=arena.game, slug="other", name="Other")
    archive(other, by=None)
    archive(arena.game, by=None)
    assert not Ladder.objects.in_use().exists()
    restore(arena.game, by=None)
    assert list(Ladder.objects.in_use()) == [arena.ladder]


def test_lists_of_the_administration_show_what_it_belongs_to_in_use(client: Client) -> None:
    """What is in an archived game stands with the archived, as nobody can use it."""
    client.force_login(User.objects.create_superuser("ada"))
    gone, used = make_arena(2), make_arena(2, slug="chess")
    queues = [
        Queue.objects.create(ladder=arena.ladder, slug=f"{arena.game.slug}-queue", name="Queue")
        for arena in (gone, used)
    ]
    pages: dict[str, tuple[Archivable, Archivable]] = {
        "ratings/game": (gone.game, used.game),
        "ratings/ladder": (gone.ladder, used.ladder),
        "ratings/ratingtrack": (gone.track("elo"), used.track("elo")),
        "matchmaking/queue": (queues[0], queues[1]),
    }
    archive(gone.game, by=None)
    for page, (archived, in_use) in pages.items():
        for query, wanted in (("", {in_use}), ("1", {archived}), ("all", {archived, in_use})):
            answer = client.get(f"/admin/{page}/", {"archived": query} if query else {})
            assert set(answer.context["cl"].result_list) == wanted, (page, query)


@pytest.mark.parametrize("kind", ["game", "ladder"])
def test_pages_say_that_what_it_belongs_to_is_archived(kind: str, client: Client) -> None:
    client.force_login(User.objects.create_superuser("ada"))
    arena = make_arena(2)
    queue = Queue.objects.create(ladder=arena.ladder, slug="queue", name="Queue")
    pages = [f"ratings/ratingtrack/{arena.track('elo').pk}", f"matchmaking/queue/{queue.pk}"]
    if kind == "game":
        pages.append(f"ratings/ladder/{arena.ladder.pk}")
    above = arena.game if kind == "game" else arena.ladder
    words = f"Its {kind} {above} is archived"
    for restored in (False, True):
        (restore if restored else archive)(above, by=None)
        for page in pages:
            text = client.get(f"/admin/{page}/change/").content.decode()
            assert (words in text) is not restored, page


def test_the_administration_adds_nothing_to_what_is_archived(client: Client) -> None:
    client.force_login(User.objects.create_superuser("ada"))
    gone, used = make_arena(2), make_arena(2, slug="chess")
    archive(gone.game, by=None)
    for page, name, wanted in (
        ("ratings/ladder", "game", used.game),
        ("matchmaking/queue", "ladder", used.ladder),
        ("api/serverkey", "game", used.game),
        ("ratings/player", "game", used.game),
    ):
        form = client.get(f"/admin/{page}/add/").context["adminform"].form
        assert list(form.fields[name].queryset) == [wanted], page
    ladder = f"/admin/ratings/ladder/{gone.ladder.pk}"
    add_track = f"{ladder}/add-track/"
    assert add_track not in client.get(f"{ladder}/change/").content.decode()
    answer = client.post(f"{add_track}?system=elo", {"period_days": "7"}, follow=True)
    assert "has been archived" in answer.content.decode()
    assert not gone.ladder.tracks.exists()


def test_a_track_that_players_see_stays() -> None:
    arena = make_arena(2)
    shown, shadow = arena.track("elo", shown=True), arena.track("glicko", days=5)
    with pytest.raises(TrackIsShownError):
        archive(shown, by=None)
    with pytest.raises(IntegrityError, match="shadow"), transaction.atomic():
        RatingTrack.objects.filter(pk=shown.pk).update(archived_at=START)
    with CaptureQueriesContext(connection) as queries:
        archive(shadow, by=None)
    # The lock under which tracks are promoted and replays take their places comes before the row.
    asked = [query["sql"] for query in queries]
    (locked,) = (number for number, sql in enumerate(asked) if "FOR NO KEY UPDATE" in sql)
    assert any("pg_advisory_xact_lock" in sql for sql in asked[:locked])
    shadow.refresh_from_db()
    assert live_tracks(arena.ladder) == [shown]
    assert not can_be_requested(shadow)
    with pytest.raises(NotPromotableError, match="is archived"):
        check_promotable(shadow)


def test_a_restored_track_is_what_it_would_be() -> None:
    """It is rated on and replayed while it is archived; the next generation is archived too."""
    arena, twin = make_arena(3), make_arena(3, slug="twin")
    history = [Played(day, day % 3, (day + 1) % 3, 1.0) for day in range(9)]
    for one in (arena, twin):
        one.track("elo", shown=True)
        one.track("glicko", days=2)
        one.play(*history[:5])
        rate_all(day=6)
    shadow = live(arena, "glicko")
    archive(shadow, by=None)
    for one in (arena, twin):
        one.play(*history[5:])
    rate_all()
    for one in (arena, twin):
        annul(Match.objects.filter(ladder=one.ladder).order_by("pk")[2])
    rate_all()
    assert live(arena, "glicko").archived_at is not None
    assert live(arena, "glicko") != shadow
    restore(live(arena, "glicko"), by=None)
    ledger, ratings, *rest = history_of(live(arena, "glicko"))
    twin_ledger, twin_ratings, *twin_rest = history_of(live(twin, "glicko"))
    shift = twin.players[0].pk - arena.players[0].pk
    assert [(row[0] + shift, *row[1:]) for row in ratings] == list(twin_ratings)
    assert len(ledger) == len(twin_ledger) > 0
    assert rest == twin_rest


def command(*arguments: str) -> str:
    out = StringIO()
    call_command("archive", *arguments, "--note", "Over.", stdout=out)
    return out.getvalue()


def test_the_command_does_it_and_says_what_is_wrong() -> None:
    arena = make_arena(2)
    track = arena.track("elo")
    with late(1):
        assert "0 searches would end" in command("game", "go", "--dry-run")
        assert "is not archived" in command("game", "go", "--dry-run", "--restore")
        assert "is archived" in command("game", "go")
        assert "is archived already" in command("game", "go", "--dry-run")
        assert "would be restored" in command("game", "go", "--dry-run", "--restore")
        assert "in use again" in command("game", "go", "--restore")
        assert "is archived" in command("track", str(track.pk))
        command("game", "go")
        told = command("track", str(track.pk), "--restore")
        assert told == f"{track} is restored. It is in use again as soon as its game Go is, too.\n"
        command("game", "go", "--restore")
    for wrong in (["game", "nobody"], ["track", "go"], ["game", "go", "--restore"]):
        with pytest.raises(CommandError):
            command(*wrong)
