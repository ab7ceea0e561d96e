"""What is counted of logs for statistics, against what ratings have counted of the same events."""

from collections import Counter
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from hypothesis import given as property_of
from hypothesis import settings
from hypothesis import strategies as st

from ratings.logs import counting
from ratings.logs.counting import count_logs
from ratings.models import LogDuel, LogWeapon, MatchLog
from ratings.tasks import rate_due_tracks
from tests.ratings.logs.telling import event, frag, make_server, rate, tallies, tell

pytestmark = pytest.mark.django_db
PEOPLE = "ann", "ben", "cat", "dan"
WEAPONS = "", "rail", "rocket"


def duels(match: str = "m1") -> dict[tuple[str, str], int]:
    """Frags by who made them and of whom."""
    rows = LogDuel.objects.filter(log__name=match)
    columns = "player__external_id", "victim__external_id", "frags"
    return {(player, victim): frags for player, victim, frags in rows.values_list(*columns)}


def weapons(match: str = "m1") -> dict[tuple[str, str], int]:
    """Frags by who made them and with what."""
    rows = LogWeapon.objects.filter(log__name=match)
    columns = "player__external_id", "weapon", "frags"
    return {(player, weapon): frags for player, weapon, frags in rows.values_list(*columns)}


def test_pairs_and_weapons_are_counted_once_when_a_match_is_over() -> None:
    server = make_server()
    tell(
        server,
        frag(1, "ann", "ben", weapon="rail"),
        frag(2, "ann", "ben", weapon="rocket"),
        frag(3, "ben", "ann"),
        event(4, "frag", guest="Bot", victim="ann"),
        event(5, "frag", player="ann", victim_guest="Bot", weapon="rail"),
        frag(6, "ann", "ann"),  # a suicide
        event(7, "frag", victim="ben"),  # a fall
    )
    assert count_logs() == 0
    assert duels() == {}
    tell(server, event(8, "end"))
    assert count_logs() == 1
    counted = duels(), weapons()
    assert counted == (
        {("ann", "ben"): 2, ("ben", "ann"): 1},
        {("ann", "rail"): 1, ("ann", "rocket"): 1, ("ben", ""): 1},
    )
    assert count_logs() == 0
    assert (duels(), weapons()) == counted


def test_few_events_are_counted_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    server = make_server()
    for name in ("m1", "m2", "m3"):
        tell(server, *(frag(n, "ann", "ben", name) for n in range(1, 5)), event(5, "end", name))
    monkeypatch.setattr(counting, "_EVENTS", 11)
    with CaptureQueriesContext(connection) as queries:
        assert count_logs() == 3
    assert len([it for it in queries if "INSERT INTO ratings_logduel" in it["sql"]]) == 2
    assert [duels(name) for name in ("m1", "m2", "m3")] == [{("ann", "ben"): 4}] * 3


def test_workers_count_by_themselves() -> None:
    tell(make_server(), frag(1, "ann", "ben"), event(2, "end"))
    rate_due_tracks()
    assert duels() == {("ann", "ben"): 1}
    assert MatchLog.objects.get().counted_at is not None


_STEPS = st.lists(
    st.tuples(
        st.sampled_from(("frag", "frag", "frag", "join", "team_kill", "suicide")),
        st.sampled_from((*PEOPLE, "bot")),
        st.sampled_from((*PEOPLE, "bot")),
        st.sampled_from(("", "red", "blue")),
        st.sampled_from(WEAPONS),
    ),
    min_size=1,
    max_size=40,
)


@pytest.mark.full
@settings(deadline=None, max_examples=20)
@property_of(_STEPS)
def test_it_is_what_ratings_have_counted(given: list[tuple[str, str, str, str, str]]) -> None:
    """Each player's frags by pairs, and by weapons, are those of the tally; so are deaths by others."""
    with transaction.atomic():
        server = make_server()
        told = [event(1, "begin"), *(_step(number, *one) for number, one in enumerate(given, 2))]
        tell(server, *told, event(len(told) + 1, "end"))
        rate()
        count_logs()
        made, suffered, shot = Counter[str](), Counter[str](), Counter[str]()
        for (player, victim), frags in duels().items():
            made[player] += frags
            suffered[victim] += frags
        for (player, _weapon), frags in weapons().items():
            shot[player] += frags
        rated = tallies()
        assert made == shot
        assert {it: made[it] for it in rated} == {it: row.frags for it, row in rated.items()}
        assert set(made) | set(suffered) <= set(rated)
        transaction.set_rollback(True)


def _step(
    number: int, kind: str, player: str, victim: str, team: str, weapon: str
) -> dict[str, Any]:
    own = {"guest": player} if player == "bot" else {"player": player}
    other = {"victim_guest": victim} if victim == "bot" else {"victim": victim}
    if kind == "join":
        return event(number, "join", team=team, **own)
    if kind == "suicide":
        return event(number, "suicide", **own)
    return event(number, kind, weapon=weapon, **own, **other)
