"""Who reads what, where, since when; who may write; and how much."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import AuditEntry, User
from config.maintenance.retention import forget
from foundation import clock
from foundation.names.clean import NAMELESS
from foundation.refusals import RefusedError
from matchmaking import avoid_list
from matchmaking.parties import lifecycle as parties
from people import blocks
from people.befriend import befriend
from people.wishes import choose
from ratings.matches.start import start_match
from ratings.merging.merge import merge
from ratings.models import Match, SanctionKind, SuspendedFrom
from ratings.sanctions.impose import impose
from talk import mutes
from talk.hide import hide
from talk.listen import latest, unheard_by
from talk.models import LONGEST_LINE, Line, Muted, TalkRules
from talk.places import place_for
from talk.refusals import EmptyLineError, LineTooLongError
from talk.say import say
from talk.text import clean_line
from tests.matchmaking.hall import NOON, Hall
from tests.matchmaking.squads import gather, make_team_hall

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall() -> Hall:
    found = make_team_hall(6)
    TalkRules.objects.create(game=found.ladder.game)
    return found


def refused(code: str) -> pytest.RaisesExc[RefusedError]:
    return pytest.raises(RefusedError, check=lambda error: error.code == code)


def write(hall: Hall, who: int, text: str, kind: str, pk: int) -> Line:
    with clock.at(hall.now):
        return say(kind=kind, pk=pk, player=hall.players[who], text=text)


def read(hall: Hall, who: int, kind: str, pk: int) -> list[str]:
    player = hall.players[who]
    with clock.at(hall.now):
        rules = TalkRules.objects.get(game=player.game_id)
        return [line.text for line in latest(place_for(kind, pk, player, rules, hall.now), player)]


def play(hall: Hall, *sides: list[int]) -> Match:
    with clock.at(hall.now):
        teams = [[hall.players[number].pk for number in side] for side in sides]
        return start_match(ladder=hall.ladder, teams=teams)


def test_a_party_hears_what_was_said_since_each_joined(hall: Hall) -> None:
    party = gather(hall, 0)
    write(hall, 0, "alone", "party", party.pk)
    hall.wait(1)
    with clock.at(hall.now):
        parties.join_party(player=hall.players[1], code=party.code)
    hall.wait(1)
    write(hall, 1, "Hello", "party", party.pk)
    assert read(hall, 0, "party", party.pk) == ["alone", "Hello"]
    assert read(hall, 1, "party", party.pk) == ["Hello"]


def test_strangers_neither_read_nor_write_and_learn_nothing(hall: Hall) -> None:
    party = gather(hall, 0, 1)
    match = play(hall, [2, 3], [4, 5])
    for kind, pk in (
        ("party", party.pk), ("match", match.pk), ("side", match.pk), ("party", 10**9), ("cellar", party.pk),
    ):  # fmt: skip
        who = 2 if kind == "party" else 0
        with refused("no_such_talk"):
            write(hall, who, "Hello", kind, pk)
        with refused("no_such_talk"):
            read(hall, who, kind, pk)
    assert not Line.objects.exists()


def test_whoever_was_removed_is_out(hall: Hall) -> None:
    party = gather(hall, 0, 1)
    with clock.at(hall.now):
        parties.remove_member(party_id=party.pk, member=hall.players[1].pk, by=hall.players[0].pk)
    with refused("no_such_talk"):
        write(hall, 1, "Why?", "party", party.pk)


def test_a_side_reads_its_own_lines_alone(hall: Hall) -> None:
    match = play(hall, [0, 1], [2, 3])
    write(hall, 0, "left", "side", match.pk)
    write(hall, 2, "right", "side", match.pk)
    write(hall, 3, "Good luck", "match", match.pk)
    assert read(hall, 1, "side", match.pk) == ["left"]
    assert read(hall, 3, "side", match.pk) == ["right"]
    assert read(hall, 0, "match", match.pk) == ["Good luck"]


def test_a_party_and_a_match_of_the_same_number_are_two_places(hall: Hall) -> None:
    party = gather(hall, 0, 1)
    match = play(hall, [0, 2], [3, 4])
    with connection.cursor() as cursor:  # whatever sequences say
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        cursor.execute(
            "UPDATE ratings_participant SET match_id = %s WHERE match_id = %s", [party.pk, match.pk]
        )
        cursor.execute("UPDATE ratings_match SET id = %s WHERE id = %s", [party.pk, match.pk])
    write(hall, 1, "in the party", "party", party.pk)
    write(hall, 2, "in the match", "match", party.pk)
    assert read(hall, 0, "party", party.pk) == ["in the party"]
    assert read(hall, 0, "match", party.pk) == ["in the match"]


def test_a_line_is_in_one_place(hall: Hall) -> None:
    party = gather(hall, 0, 1)
    match = play(hall, [0, 2], [3, 4])
    with pytest.raises(IntegrityError), transaction.atomic():
        Line.objects.create(
            game=hall.ladder.game, party=party, match=match, author=hall.players[0], text="both"
        )
    with pytest.raises(IntegrityError), transaction.atomic():
        Line.objects.create(
            game=hall.ladder.game, party=party, team=0, author=hall.players[0], text="side"
        )


def test_a_match_is_talked_about_for_a_while(hall: Hall) -> None:
    match = play(hall, [0, 1], [2, 3])
    hall.wait(60)
    Match.objects.filter(pk=match.pk).update(
        state="aborted", due_at=None, ended_at=hall.now, confirmed_at=None
    )
    hall.wait(15 * 60 - 1)
    write(hall, 0, "gg", "match", match.pk)
    hall.wait(1)
    with refused("talk_over"):
        write(hall, 0, "one more", "match", match.pk)
    assert read(hall, 3, "match", match.pk) == ["gg"]


def test_where_the_operator_has_not_switched_it_on_there_is_none(hall: Hall) -> None:
    party = gather(hall, 0)
    TalkRules.objects.update(is_on=False)
    with refused("talk_off"):
        write(hall, 0, "Hello", "party", party.pk)
    TalkRules.objects.all().delete()
    with refused("talk_off"):
        write(hall, 0, "Hello", "party", party.pk)


def test_blocked_and_muted_players_are_not_heard(hall: Hall) -> None:
    party = gather(hall, 0, 1)
    write(hall, 1, "first", "party", party.pk)
    mutes.mute(player=hall.players[0], other=hall.players[1])
    write(hall, 1, "second", "party", party.pk)
    assert read(hall, 0, "party", party.pk) == []
    assert read(hall, 1, "party", party.pk) == ["first", "second"]  # who is not told
    mutes.unmute(player=hall.players[0], other_id=hall.players[1].pk)
    assert read(hall, 0, "party", party.pk) == ["first", "second"]
    avoid_list.avoid(player=hall.players[0], other=hall.players[1])
    assert read(hall, 0, "party", party.pk) == ["first", "second"]  # avoiding is about playing
    blocks.block(player=hall.players[0], other=hall.players[1])
    assert read(hall, 0, "party", party.pk) == []


def test_whoever_may_not_write_to_a_player_is_not_heard_by_it() -> None:
    hall = make_team_hall(size=3)
    TalkRules.objects.create(game=hall.ladder.game)
    party = gather(hall, 0, 1, 2)
    reader, friend = hall.players[0], hall.players[1]
    befriend(player=reader, other=friend)
    befriend(player=friend, other=reader)
    for number, text in ((0, "own"), (1, "of a friend"), (2, "of another")):
        write(hall, number, text, "party", party.pk)
    choose(player=reader, chosen={"write": "friends"})
    assert read(hall, 0, "party", party.pk) == ["own", "of a friend"]
    choose(player=reader, chosen={"write": "nobody"})
    assert read(hall, 0, "party", party.pk) == ["own"]
    assert read(hall, 2, "party", party.pk) == ["own", "of a friend", "of another"]
    choose(player=reader, chosen={"write": "everyone"})
    assert read(hall, 0, "party", party.pk) == ["own", "of a friend", "of another"]


def test_muting_has_its_limits(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutes, "MOST", 1)
    own, other, third = hall.players[:3]
    with refused("mutes_itself"):
        mutes.mute(player=own, other=own)
    assert mutes.mute(player=own, other=other)
    assert not mutes.mute(player=own, other=other)
    with refused("mutes_too_many"):
        mutes.mute(player=own, other=third)
    assert list(Muted.objects.values_list("player", "muted")) == [(own.pk, other.pk)]


def test_so_many_lines_a_minute(hall: Hall) -> None:
    TalkRules.objects.update(lines_a_minute=2)
    party = gather(hall, 0, 1)
    write(hall, 0, "one", "party", party.pk)
    hall.wait(20)
    write(hall, 0, "two", "party", party.pk)
    hall.wait(10)
    with pytest.raises(RefusedError) as refusal:
        write(hall, 0, "three", "party", party.pk)
    assert (refusal.value.code, refusal.value.extra) == ("talks_too_fast", {"retry_after": 30})
    write(hall, 1, "me", "party", party.pk)  # each has a minute of its own
    hall.wait(30)
    write(hall, 0, "three", "party", party.pk)


def test_who_is_suspended_from_it_reads_only(hall: Hall) -> None:
    party = gather(hall, 0, 1)
    olga = User.objects.create_superuser("olga")
    with clock.at(hall.now):
        impose(
            player=hall.players[0],
            kind=SanctionKind.SUSPENDED,
            suspended_from=SuspendedFrom.TALK,
            reason="insults",
            until=NOON + timedelta(days=1),
            by=olga,
        )
    with refused("suspended"):
        write(hall, 0, "Hello", "party", party.pk)
    write(hall, 1, "Hello", "party", party.pk)
    assert read(hall, 0, "party", party.pk) == ["Hello"]
    hall.wait(86_400)
    write(hall, 0, "back", "party", party.pk)


def test_a_hidden_line_is_read_by_no_player(hall: Hall) -> None:
    party = gather(hall, 0, 1)
    line = write(hall, 0, "rude", "party", party.pk)
    olga = User.objects.create_superuser("olga")
    hide(line_id=line.pk, by=olga, note="rude")
    hide(line_id=line.pk, by=olga, note="again")
    assert read(hall, 1, "party", party.pk) == []
    entry = AuditEntry.objects.get(action="line.hidden")
    where = {"party": party.pk, "room": None, "match": None}
    assert entry.after == {"author": hall.players[0].pk, **where}
    assert entry.note == "rude"


def test_lines_go_when_their_time_is_over(hall: Hall) -> None:
    party = gather(hall, 0)
    TalkRules.objects.update(keep_days=2)
    write(hall, 0, "old", "party", party.pk)
    hall.wait(86_400)
    write(hall, 0, "new", "party", party.pk)
    with clock.at(NOON + timedelta(days=2, seconds=1)):
        assert forget()["lines"] == 1
    assert list(Line.objects.values_list("text", flat=True)) == ["new"]


@given(st.text(max_size=2 * LONGEST_LINE))
def test_a_line_is_plain_text_in_one_line(text: str) -> None:
    try:
        line = clean_line(text)
    except EmptyLineError:
        return
    except LineTooLongError:
        assert len(text) > LONGEST_LINE
        return
    assert line
    assert len(line) <= LONGEST_LINE
    assert clean_line(line) == line
    assert not set(line) & set("\n\r\t\u202e\u200b\u2066\u2028\x00\x1b")


@pytest.mark.parametrize("text", ["", "  ", "\u200b\u2060", "\u202e", "\x00\x07"])
def test_what_cannot_be_seen_is_no_line(text: str) -> None:
    with pytest.raises(EmptyLineError):
        clean_line(text)


def test_a_question_mark_is_one() -> None:
    assert clean_line(NAMELESS) == NAMELESS


def test_a_line_has_an_end() -> None:
    assert clean_line("x" * LONGEST_LINE)
    for length in (LONGEST_LINE + 1, 10 * LONGEST_LINE + 1):
        with pytest.raises(LineTooLongError):
            clean_line("x" * length)


def test_who_counts_for_a_muted_player_is_not_heard_either(hall: Hall) -> None:
    reader, muted, merged, other = hall.players[:4]
    mutes.mute(player=reader, other=muted)
    olga = User.objects.create_superuser("olga")
    merge(player=merged, into=muted, by=olga, note="one person")
    assert set(unheard_by(reader)) == {muted, merged}
    assert other not in unheard_by(reader)


def test_a_merged_players_mutes_go_on(hall: Hall) -> None:
    olga = User.objects.create_superuser("olga")
    mutes.mute(player=hall.players[0], other=hall.players[1])
    mutes.mute(player=hall.players[3], other=hall.players[0])
    merge(player=hall.players[0], into=hall.players[2], by=olga, note="one person")
    listed = set(Muted.objects.values_list("player", "muted"))
    ids = [player.pk for player in hall.players]
    assert {(ids[2], ids[1]), (ids[3], ids[2])} <= listed
