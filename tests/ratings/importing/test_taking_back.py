"""Taking back an import equals a history in which the file was never taken in; nothing of it is deleted."""

import io
from datetime import datetime
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.models import AuditEntry, User
from api.site.delete_person import delete_player
from foundation import clock
from leaderboards.players.search import find_players
from ratings.importing import import_matches
from ratings.importing.take_back import TakenBackAlreadyError, foresee_taking_back, take_back
from ratings.matches.revising.annul_many import OtherMatchesError
from ratings.merging.merge import merge
from ratings.merging.unmerge import unmerge
from ratings.models import (
    Game,
    ImportedFile,
    Ladder,
    Match,
    MatchState,
    Participant,
    Player,
    Sanction,
)
from ratings.players.claim import make_player
from ratings.players.enrol import enrol
from tests.forms import often
from tests.ratings.arena import DAY, START, Arena, make_arena, random_history
from tests.ratings.match_files import FileRow, file_of, take_in
from tests.ratings.replays import clean_arena, live, rate_all, replays, story_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("declared")]

PLAYERS = 5
GAMES = (
    FileRow("2020-01-01", "Ada", "Bo", "1"),
    FileRow("2020-01-02", "Bo", "Cy", "0.5"),
    FileRow("2020-01-03", "Cy", "Ada", "0"),
)


def moment(day: float) -> datetime:
    return START + day * DAY


def import_into(arena: Arena, rows: list[tuple[float, str, str, float]], *, now: float) -> None:
    """Import matches of these days, at the day `now`."""
    text = file_of((moment(day).isoformat(), a, b, f"{score:g}") for day, a, b, score in rows)
    with clock.at(moment(now)):
        source = io.BytesIO(text.encode())
        import_matches(source, name="wrong.csv", ladder=arena.ladder.slug)


@pytest.mark.full
@settings(max_examples=often(8, 60))
@given(
    seed=st.integers(0, 1000),
    imported=st.lists(
        st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from([0.0, 0.5, 1.0])).filter(
            lambda it: it[0] != it[1]
        ),
        min_size=1,
        max_size=12,
    ),
    rated_before=st.booleans(),
)
def test_it_equals_a_history_without_it(
    seed: int, imported: list[tuple[int, int, float]], rated_before: bool
) -> None:
    """The file has players of the ladder and such as nobody knew; others played before and after it came."""
    before = random_history(12, PLAYERS, days=15, seed=seed)
    after = [
        played.__class__(played.day + 16, played.first, played.second, played.score)
        for played in random_history(12, PLAYERS, days=15, seed=seed + 1)
    ]
    with transaction.atomic():
        arena = make_arena(PLAYERS)
        arena.track("elo", shown=True)
        arena.track("glicko", days=5)
        arena.play(*before)
        if rated_before:
            rate_all(day=15.2)
        names = [f"player {number}" for number in range(PLAYERS)] + list("vwxyz")
        rows = [
            (15 + place / 100, names[a], names[b], score)
            for place, (a, b, score) in enumerate(imported)
        ]
        import_into(arena, rows, now=15.5)
        arena.play(*after)
        rate_all()
        file = ImportedFile.objects.get()
        foreseen = foresee_taking_back(file)
        made = {name for _day, *pair, _score in rows for name in pair} - set(names[:PLAYERS])
        assert (foreseen.annulled.matches, foreseen.players) == (len(rows), len(made))
        done = take_back(file_id=file.pk, by=None, note="x", seen=len(rows))
        assert (done.matches, done.players) == (len(rows), len(made))
        rate_all()
        assert replays(arena) == 0
        clean = clean_arena(PLAYERS, [*before, *after])
        rate_all()
        for system in ("elo", "glicko"):
            assert story_of(arena, live(arena, system)) == story_of(clean, live(clean, system))
        gone = Player.objects.filter(archived_at__isnull=False)
        assert set(gone.values_list("external_id", flat=True)) == made
        transaction.set_rollback(True)


def test_who_did_it_and_why_is_kept_and_nothing_is_deleted() -> None:
    take_in(file_of(GAMES))
    operator = User.objects.create_user("olga", is_staff=True)
    file = ImportedFile.objects.get()
    rows = (Match.objects.count(), Participant.objects.count(), Player.objects.count())
    take_back(file_id=file.pk, by=operator, note="Another game's.")
    file.refresh_from_db()
    assert (file.taken_back_by, file.taken_back_note) == (operator, "Another game's.")
    assert file.taken_back_at is not None
    entry = AuditEntry.objects.get(action="importedfile.taken_back")
    assert (entry.actor, entry.note, entry.after) == (
        operator,
        "Another game's.",
        {"name": file.name, "matches": 3, "players": 3, "replays": []},
    )
    assert rows == (Match.objects.count(), Participant.objects.count(), Player.objects.count())
    assert set(Match.objects.values_list("state", flat=True)) == {MatchState.ANNULLED}
    with pytest.raises(TakenBackAlreadyError):
        take_back(file_id=file.pk, by=operator, note="Again.")
    with pytest.raises(ImportedFile.DoesNotExist):
        take_back(file_id=0, by=operator, note="x")


@pytest.mark.parametrize("is_named", [True, False])
def test_why_it_was_taken_back_tells_of_nobody_who_is_deleted(is_named: bool) -> None:
    """As far as it names them: in words, and in the audit log of the import and of its matches."""
    take_in(file_of(GAMES))
    file = ImportedFile.objects.get()
    note = "ADA sent a wrong one." if is_named else "Adam sent a wrong one."
    take_back(file_id=file.pk, by=None, note=note)
    delete_player(Player.objects.get(external_id="Ada"), by=None)
    file.refresh_from_db()
    expected = "(removed)" if is_named else note
    assert file.taken_back_note == expected
    acts = ("importedfile.taken_back", "matches.annulled")
    entries = AuditEntry.objects.filter(action__in=acts)
    assert dict(entries.values_list("action", "note")) == dict.fromkeys(acts, expected)


def test_the_same_file_can_come_again_into_the_right_ladder_and_into_this_one() -> None:
    take_in(file_of(GAMES))
    file = ImportedFile.objects.get()
    assert take_in(file_of(GAMES)).known_file
    take_back(file_id=file.pk, by=None, note="x")
    assert not find_players("Ada").players
    right = take_in(file_of(GAMES), ladder="right")
    assert (right.new_matches, right.new_players, right.known_file) == (3, 0, False)
    # Whoever plays is there again: the database sees to it.
    assert not Player.objects.filter(archived_at__isnull=False).exists()
    assert [player.name for player in find_players("Ada").players] == ["Ada"]
    again = take_in(file_of([*GAMES[:2], FileRow("2020-01-03", "Cy", "Ada", "1")]))
    assert (again.new_matches, again.known_file) == (3, False)
    same = take_in(file_of(GAMES[:2]))
    assert (same.new_matches, same.known_file) == (0, False)
    assert Match.objects.filter(state=MatchState.CONFIRMED).count() == 6
    twin = ImportedFile.objects.latest("pk")
    twin.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        twin.save()


def test_whom_somebody_else_has_used_stays() -> None:
    take_in(file_of(GAMES))
    game, operator = Game.objects.get(), User.objects.create_user("olga", is_staff=True)
    ada, bo, cy = Player.objects.order_by("external_id")
    Player.objects.filter(pk=ada.pk).update(user=operator)
    Sanction.objects.create(player=bo, kind="note", reason="Known by another name.")
    other = Ladder.objects.create(game=game, slug="other", name="Other")
    take_in(file_of([FileRow("2021-01-01", "Cy", "Dee", "1")]), ladder=other.slug)
    file = ImportedFile.objects.order_by("pk")[0]
    assert foresee_taking_back(file).players == 0
    assert take_back(file_id=file.pk, by=None, note="x").players == 0
    assert not Player.objects.filter(archived_at__isnull=False).exists()
    assert cy.participations.filter(match__state=MatchState.CONFIRMED).count() == 1


def test_whoever_gets_a_name_or_an_account_is_there_again() -> None:
    take_in(file_of(GAMES))
    take_back(file_id=ImportedFile.objects.get().pk, by=None, note="x")
    enrol(game=Game.objects.get(), external_id="Ada", name="Ada L.")
    Player.objects.filter(external_id="Bo").update(user=User.objects.create_user("bo"))
    gone = Player.objects.filter(archived_at__isnull=False)
    assert list(gone.values_list("external_id", flat=True)) == ["Cy"]
    # A name that nobody has used is free.
    assert make_player(game=Game.objects.get(), user=User.objects.create_user("c"), name="Cy").pk


def test_others_than_were_shown_are_not_taken_back() -> None:
    take_in(file_of(GAMES))
    file = ImportedFile.objects.get()
    with pytest.raises(OtherMatchesError):
        take_back(file_id=file.pk, by=None, note="x", seen=2)
    file.refresh_from_db()
    assert file.taken_back_at is None
    # One was annulled by itself: it stays annulled when the file comes again.
    first = Match.objects.order_by("pk")[0]
    Match.objects.filter(pk=first.pk).update(state=MatchState.ANNULLED)
    assert take_back(file_id=file.pk, by=None, note="x", seen=2).matches == 2
    assert take_in(file_of(GAMES)).new_matches == 2
    first.refresh_from_db()
    assert first.state == MatchState.ANNULLED


def test_what_a_merge_has_annulled_is_taken_back_with_the_rest() -> None:
    take_in(file_of(GAMES))
    file, (ada, bo, _cy) = ImportedFile.objects.get(), Player.objects.order_by("external_id")
    merge(player=bo, into=ada, by=None, note="x", annul_shared=True)
    assert take_back(file_id=file.pk, by=None, note="x").matches == 2
    unmerge(player=Player.objects.get(pk=bo.pk), by=None, note="x")
    assert set(Match.objects.values_list("state", flat=True)) == {MatchState.ANNULLED}
    assert take_in(file_of(GAMES)).new_matches == 3


def test_the_database_keeps_what_was_imported() -> None:
    take_in(file_of(GAMES))
    for table in ("ratings_importedfile", "ratings_match"):
        with (
            pytest.raises(DatabaseError, match="never deleted"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(f"DELETE FROM {table}")  # noqa: S608
    file = ImportedFile.objects.get()
    file.taken_back_note = "x"
    with pytest.raises(IntegrityError), transaction.atomic():
        file.save()


def test_the_page_shows_and_does_it() -> None:
    take_in(file_of(GAMES))
    file = ImportedFile.objects.get()
    client = Client()
    client.force_login(User.objects.create_superuser("olga"))
    page = reverse("admin:ratings_importedfile_take_back", args=[file.pk])
    own = reverse("admin:ratings_importedfile_change", args=[file.pk])
    assert page in client.get(own).content.decode()
    shown = client.get(page).content.decode()
    assert "3 annulled" in shown
    assert "Ada, Bo, Cy" in shown
    client.post(page, {"note": "", "seen": 3})
    client.post(page, {"note": "Wrong.", "seen": 4})
    assert not Match.objects.filter(state=MatchState.ANNULLED).exists()
    answer = client.post(page, {"note": "Wrong.", "seen": 3}, follow=True)
    assert "3 matches no longer count" in answer.content.decode()
    assert "taken back before" in client.get(page).content.decode()
    client.force_login(User.objects.create_user("vera", is_staff=True))
    assert client.get(page).status_code == 403


def command(*arguments: str) -> str:
    out = StringIO()
    call_command("take_back_import", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_lists_says_and_does_it() -> None:
    take_in(file_of(GAMES))
    number = str(ImportedFile.objects.get().pk)
    assert "games.csv" in command()
    told = command(number, "--dry-run")
    assert "world: 3 to annul" in told
    assert "3 players would be archived" in told
    assert not Match.objects.filter(state=MatchState.ANNULLED).exists()
    wrong: list[list[str]] = [[number], ["99999999", "--note", "x"]]
    for arguments in wrong:
        with pytest.raises(CommandError):
            command(*arguments)
    assert "3 matches annulled" in command(number, "--note", "Wrong.", "--wait")
    assert "taken back" in command()
    for arguments in ([number, "--note", "x"], [number, "--dry-run"]):
        with pytest.raises(CommandError, match="taken back before"):
            command(*arguments)
