"""Events of game servers: of a deleted person's name nothing stays, of what happened everything."""

import pytest
from django.db import DatabaseError, connection, transaction
from psycopg import sql

from api.site.delete_person import delete_player
from ratings.logs.counting import count_logs
from ratings.models import LogEvent, LogTally, LogWeapon, MapGames, MatchLog, Player
from ratings.players.map_games import count_maps
from ratings.runs.replay import replay_track
from ratings.runs.run import rate_track
from tests.histories.traces import holding
from tests.ratings.logs.telling import (
    event,
    frag,
    make_server,
    match_of,
    rate,
    ratings,
    tell,
    track,
)

pytestmark = pytest.mark.django_db(transaction=True)


def told() -> Player:
    """Three matches' worth of events that name a player in every text that a server may fill."""
    server = make_server()
    tell(
        server,
        event(1, "begin", map="Evelyntha's castle"),
        event(2, "join", player="fay", team="Evelyntha's own"),
        event(3, "join", player="eve-id", team="Others"),
        frag(4, "fay", "eve-id", weapon="Evelyntha gun"),
        event(5, "frag", guest="Evelyntha", victim="fay"),
        event(6, "frag", player="fay", victim_guest="Evelyntha's bot"),
        frag(7, "eve-id", "fay", weapon="rail"),
        event(8, "end"),
    )
    rate()
    count_maps(ladder_id=track().ladder_id)
    eve = Player.objects.get(external_id="eve-id")
    eve.name = "Evelyntha"
    eve.save()
    return eve


def test_nothing_names_one_in_what_servers_tell() -> None:
    eve = told()
    before = ratings()
    assert MapGames.objects.count() == 2
    delete_player(eve, by=None)
    assert holding("Evelyntha", "eve-id") == []
    texts = LogEvent.objects.order_by("number").values_list("guest", "guest_victim", "detail")
    assert list(texts) == [
        ("", "", "(removed) castle"),
        ("", "", "(removed) own"),
        ("", "", "Others"),
        ("", "", "(removed) gun"),
        ("(removed)", "", ""),
        ("", "(removed) bot", ""),
        ("", "", "rail"),
        ("", "", ""),
    ]
    assert MatchLog.objects.get().sides == ["=Others", "=(removed) own"]
    assert match_of().map == "(removed) castle"
    assert LogTally.objects.get(player__name="fay").team == "(removed) own"
    rate_track(replay_track(track=track()).pk)
    assert list(ratings().values()) == list(before.values())


def test_weapons_that_were_counted_are_counted_anew() -> None:
    eve = told()
    count_logs()
    assert LogWeapon.objects.filter(weapon="Evelyntha gun").exists()
    delete_player(eve, by=None)
    assert "ratings_logweapon" not in holding("Evelyntha", "eve-id")
    count_logs()
    weapons = LogWeapon.objects.order_by("weapon").values_list("weapon", "frags")
    assert list(weapons) == [("(removed) gun", 1), ("rail", 1)]


@pytest.mark.parametrize("change", ["kind = 5", "player_id = NULL", "guest = 'x'", "weight = 2"])
def test_nothing_else_of_an_event_changes(change: str) -> None:
    told()
    update = sql.SQL("UPDATE ratings_logevent SET {} WHERE number = 4").format(sql.SQL(change))
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL evenmatch.forget_in_events = 'on'")
        with pytest.raises(DatabaseError, match="events are only added"), transaction.atomic():
            cursor.execute(update)


def test_nobody_else_changes_texts_of_events() -> None:
    told()
    with pytest.raises(DatabaseError, match="events are only added"):
        LogEvent.objects.filter(number=5).update(guest="somebody")
