"""Texts of challenges, rooms, groups and talk: of what a deleted person wrote nothing stays, of what others wrote about
it not the name.
"""

import pytest

from accounts.models import AuditEntry, User
from api.site.delete_person import delete_account, delete_player, foresee_player
from challenges import make
from challenges.make import Wanted
from challenges.models import Challenge
from foundation import clock
from groups import membership
from groups.models import Group
from matchmaking.models import Preference
from ratings.matches.decide import confirm_by_server
from ratings.matches.result import Result
from ratings.models import Facet, Match, Participant, Rating, RatingChange, RatingTrack
from ratings.runs.replay import replay_track
from ratings.runs.run import rate_track
from ratings.tracks.parameters import create_track
from rooms import lifecycle
from rooms.models import Room
from talk.models import Line
from tests.groups.test_groups import made
from tests.histories.traces import holding
from tests.matchmaking.visiting import accounts
from tests.rooms.lounge import Lounge, make_lounge

pytestmark = pytest.mark.django_db(transaction=True)


def told_of_evelyntha() -> tuple[Lounge, Room, Room]:
    """Player 0 is called so, and others write about her; a room of hers is closed, one goes on with player 1."""
    lounge = make_lounge(6, size=2)
    hall = lounge.hall
    eve, fay, gus, hal = hall.players[:4]
    accounts(hall, "Evelyntha", "fay", "gus", "hal")
    hall.ladder.team_count = 2
    closed = lounge.open(0, name="Where the owls meet", note="Come owls", options=["owls only"])
    lounge.leave(closed, 0)
    live = lounge.open(0, name="Owls again", note="All owls", options=["owls"])
    lounge.join(live, 1)
    about = lounge.open(
        2, name="No Evelyntha here", note="evelyntha's friends neither", options=["no Evelyntha"]
    )
    made(hall, 2, name="Anti Evelyntha", note="Not Evelyntha.")
    own = made(hall, 0, access="open", name="Owls and owls", note="We owls")
    membership.join(group_id=own.pk, player=fay)
    Line.objects.create(game=hall.ladder.game, room=about, author=gus, text="Evelyntha go away")
    Line.objects.create(game=hall.ladder.game, room=live, author=eve, text="Owls, come")
    operator = User.objects.create_superuser("ottilie")
    shut = lounge.open(3, name="Hunting Evelyntha")
    lifecycle.close_by(room_id=shut.pk, by=operator, note="rude")
    assert hal.pk == shut.host_id
    return lounge, live, about


def test_nothing_names_a_deleted_person_in_what_players_write() -> None:
    lounge, live, about = told_of_evelyntha()
    eve = lounge.hall.players[0]
    user = User.objects.get(username="Evelyntha")
    assert len(holding("owls")) == 3
    delete_account(user, by=None)
    assert holding("Evelyntha", "owls") == []
    live.refresh_from_db()
    assert (live.host, live.name, live.note) == (lounge.hall.players[1], "(removed)", "")
    about.refresh_from_db()
    assert (about.name, about.note, about.options) == (
        "No (removed) here",
        "(removed) friends neither",
        ["no (removed)"],
    )
    groups = Group.objects.order_by("pk").values_list("name", "note")
    assert list(groups) == [("Anti (removed)", "Not (removed)."), ("(removed)", "")]
    assert [line.text for line in Line.objects.all()] == ["(removed) go away"]
    assert not Line.objects.filter(author=eve).exists()
    told = AuditEntry.objects.get(action="room.closed")
    assert (told.before, told.note) == (None, "(removed)")


def test_nothing_names_one_among_the_guests_of_matches() -> None:
    lounge, _live, _about = told_of_evelyntha()
    now = clock.now()
    match = Match.objects.create(
        ladder=lounge.hall.ladder,
        game=lounge.hall.ladder.game,
        external_id="guests",
        state="abandoned",
        played_at=now,
        guests=[{"name": "Evelyntha", "team": 1, "score": 2.0, "minutes": None}],
    )
    delete_account(User.objects.get(username="Evelyntha"), by=None)
    match.refresh_from_db()
    assert match.guests == [{"name": "(removed)", "team": 1, "score": 2.0, "minutes": None}]
    assert holding("Evelyntha") == []


def test_nothing_names_one_in_words_of_filters_and_characters() -> None:
    """Rooms took any words once, and characters still do."""
    lounge = make_lounge(3, size=1)
    hall = lounge.hall
    accounts(hall, "Evelyntha", "fay", "gus")
    # In a match that the person did not play, and as a language from when rooms took any word.
    asking = lounge.open(2)
    Room.objects.filter(pk=asking.pk).update(filters={"languages": ["evelyntha-stinks"]})
    lounge.leave(asking, 2)
    for number in (1, 2):
        hall.join(number, character=f"Evelyntha {number}")
    hall.sweep()
    hall.accept(1)
    hall.accept(2)
    Match.objects.update(state="aborted", due_at=None)
    Participant.objects.update(playing=False)
    own, about = lounge.open(0), lounge.open(1)
    Room.objects.filter(pk=own.pk).update(filters={"styles": ["I am an owl"], "conduct": True})
    Room.objects.filter(pk=about.pk).update(filters={"rules": ["no Evelyntha"], "conduct": True})
    lounge.leave(own, 0)
    lounge.leave(about, 1)
    hall.join(0, character="Great owl")
    hall.join(1, character="Evelyntha is an owl")
    hall.sweep()
    hall.accept(0)
    hall.accept(1)
    match = Match.objects.latest("pk")
    delete_account(User.objects.get(username="Evelyntha"), by=None)
    filters = [Room.objects.get(pk=one.pk).filters for one in (own, about)]
    assert filters == [{"conduct": True}, {"conduct": True}]
    assert Room.objects.get(pk=asking.pk).filters == {}
    elsewhere = Participant.objects.exclude(match=match)
    assert {*elsewhere.values_list("character", flat=True)} == {"(removed) 1", "(removed) 2"}
    named = match.participants.order_by("pk").values_list("character", flat=True)
    assert "Evelyntha" not in "".join(named)
    assert holding("Evelyntha") == []


def test_a_note_of_a_challenge_between_others_loses_the_name_alone() -> None:
    hall = make_lounge(3).hall
    eve, fay, gus = hall.players
    eve.call("Evelyntha")
    eve.save()
    make.challenge(
        player=fay, other=gus, wanted=Wanted(ladder=hall.ladder, note="beat Evelyntha first")
    )
    delete_player(eve, by=None)
    assert Challenge.objects.get().note == "beat (removed) first"


def test_a_random_group_goes_by_its_number_again() -> None:
    hall = make_lounge(2).hall
    group = made(hall, 0, access="open", name="Owls")
    membership.join(group_id=group.pk, player=hall.players[1])
    Group.objects.update(is_drawn=True)
    delete_player(hall.players[0], by=None)
    assert Group.objects.get().name == ""


def test_a_dry_run_counts_them() -> None:
    lounge, _live, _about = told_of_evelyntha()
    taken = foresee_player(lounge.hall.players[0])
    there = {model: taken.replaced[model] for model in (Group, Line)}
    assert there[Line] == 1
    assert there[Group] == 3  # two columns of one, and another's
    assert taken.replaced[Room] >= 3
    assert holding("Evelyntha")


def test_nothing_names_one_in_ratings_of_characters_and_a_replay_gives_the_same() -> None:
    lounge = make_lounge(4, size=1)
    hall = lounge.hall
    accounts(hall, "Evelyntha", "fay", "gus", "hal")
    track = create_track(
        ladder=hall.ladder,
        system="elo",
        parameters={},
        period_days=None,
        shown=False,
        facet=Facet.CHARACTER,
    )
    # The third is called as the first would be afterwards.
    for number, names in enumerate(("Evelyntha stinks", "Owl", "(removed) stinks", "Owl")):
        Preference.objects.create(
            player=hall.players[number], queue=hall.queue, character=names, wishes={}, roles=[]
        )
        hall.join(number, character=names)
    hall.sweep()
    for number in range(4):
        hall.accept(number)
    for match in Match.objects.all():
        with hall.at_now():
            confirm_by_server(match_id=match.pk, result=Result(ranks=(0, 1)))
    rate_track(track.pk)
    before = rated_by_character(track)
    assert len(before) == 4
    delete_account(User.objects.get(username="Evelyntha"), by=None)
    assert holding("Evelyntha") == []
    new = {"Evelyntha stinks": "(removed) stinks (2)"}
    after = {(who, new.get(name, name)): value for (who, name), value in before.items()}
    assert rated_by_character(track) == after
    replay = replay_track(track=track)
    rate_track(replay.pk)
    assert rated_by_character(replay) == after


def rated_by_character(track: RatingTrack) -> dict[tuple[int, str], float]:
    """Ratings by player and character, each with its rows in the ledger."""
    found = Rating.objects.filter(track=track).values_list("player", "facet", "value")
    changes = RatingChange.objects.filter(track=track).values_list("player", "facet")
    assert {*changes} == {(player, facet) for player, facet, _value in found}
    return {(player, facet): value for player, facet, value in found}
