"""What leads to something, step by step: acts, and seconds that pass. The last step is what is met, or killed."""

from collections.abc import Callable, Mapping, Sequence

from tests.matchmaking.machine.world import PLAYERS
from tests.together.deeds import Act
from tests.together.world import DUEL, PAIRS

__all__ = ["FREED", "SCENES"]

# Nobody is anywhere, or scenes would mostly be refused.
FREED = tuple(Act("leave everything", number) for number in range(PLAYERS))
Scene = Callable[[int, int, int, int], Sequence[Act | float]]


def _others(who: int, number: int) -> list[int]:
    return [(who + step) % PLAYERS for step in range(1, number + 1)]


def _host_starting(who: int, rule: str, team_choice: int, maps: int = 0) -> Act:
    """Opens a room of two against two that starts by this rule. See how `open a room` chooses."""
    other = ("host", "full", "ready").index(rule) + 3 * ((maps - who) % 3)
    return Act("open a room", who, other, PAIRS, team_choice)


def _fill(who: int, rule: str, team_choice: int, maps: int = 0) -> list[Act | float]:
    """A room with all but the last seat taken."""
    one, two, _three = _others(who, 3)
    opened = _host_starting(who, rule, team_choice, maps)
    return [opened, Act("join a room", one), Act("join a room", two)]


def _last_comes(who: int, _other: int, _queue: int, taste: int) -> list[Act | float]:
    return [*_fill(who, "full", taste % 2), Act("join a room", _others(who, 3)[2])]


def _host_starts(who: int, _other: int, _queue: int, taste: int) -> list[Act | float]:
    full = [*_fill(who, "host", taste), Act("join a room", _others(who, 3)[2])]
    return [*full, Act("start the room", who, taste=1)]


def _last_is_ready(who: int, _other: int, _queue: int, taste: int) -> list[Act | float]:
    full = [*_fill(who, "ready", taste % 2), Act("join a room", _others(who, 3)[2])]
    return [*full, Act("all say ready")]


def _draft(who: int, other: int, _queue: int, _taste: int) -> list[Act | float]:
    full = [*_fill(who, "host", 2), Act("join a room", _others(who, 3)[2])]
    picks = [Act("pick or strike out", who, other, taste=1)] * 2
    return [*full, Act("start the room", who, taste=1), *picks]


def _veto(who: int, other: int, _queue: int, _taste: int) -> list[Act | float]:
    full = [*_fill(who, "host", 0, maps=2), Act("join a room", _others(who, 3)[2])]
    struck = [Act("pick or strike out", who, other, taste=1)] * 2
    return [*full, Act("start the room", who, taste=1), *struck]


def _turn_is_over(who: int, other: int, _queue: int, _taste: int) -> list[Act | float]:
    return [*_draft(who, other, 0, 0)[:-2], 31.0, Act("tend rooms"), 31.0, Act("tend rooms")]


def _removed(who: int, _other: int, _queue: int, _taste: int) -> list[Act | float]:
    one = _others(who, 1)[0]
    return [*_fill(who, "host", 0), Act("remove from the room", who, one, taste=1)]


def _comes_back(who: int, _other: int, _queue: int, _taste: int) -> list[Act | float]:
    return [*_removed(who, 0, 0, 0), Act("join a room", _others(who, 1)[0])]


def _host_leaves(who: int, _other: int, _queue: int, _taste: int) -> list[Act | float]:
    return [*_fill(who, "host", 0), Act("leave the room", who)]


def _challenged(who: int, other: int, queue: int, taste: int) -> list[Act | float]:
    other = (who + 1) % PLAYERS if who == other else other
    made = Act("challenge", who, other, queue % 2, taste)
    return [made, Act("look", who), Act("accept a challenge", other, taste=1)]


def _challenger_comes(who: int, other: int, queue: int, taste: int) -> list[Act | float]:
    made, _look, taken = _challenged(who, other, queue, taste)
    return [made, 61.0, taken, Act("say one is there", who, 0, taste=1)]


def _appointed(who: int, other: int, queue: int, _taste: int) -> list[Act | float]:
    other = (who + 1) % PLAYERS if who == other else other
    agreed = [
        Act("propose an appointment", who, other, queue % 2),
        Act("accept a challenge", other, taste=1),
    ]
    return [
        *agreed,
        420.0,
        Act("say one is there", who, 0, taste=1),
        Act("say one is there", other, 1, taste=1),
    ]


def _round(who: int, _other: int, queue: int, taste: int) -> list[Act | float]:
    planned = Act("plan a round", who, 0, queue % 2, taste)
    joined = [Act("join a round", number) for number in (who, *_others(who, 3))]
    return [planned, *joined, 360.0, Act("hold rounds")]


def _round_meets(who: int, _other: int, queue: int, taste: int) -> list[Act | float]:
    return [*_round(who, 0, queue, taste), Act("sweep", queue=queue % 2)]


def _offered(who: int, _other: int, _queue: int, _taste: int) -> list[Act | float]:
    one = _others(who, 1)[0]
    searches = [Act("search", number, queue=DUEL) for number in (who, one)]
    return [*searches, 60.0, Act("beat", who), Act("beat", one), Act("sweep", queue=DUEL)]


def _accepted(who: int, _other: int, _queue: int, _taste: int) -> list[Act | float]:
    return [*_offered(who, 0, 0, 0), Act("accept", who), Act("accept", _others(who, 1)[0])]


def _declined(who: int, _other: int, _queue: int, _taste: int) -> list[Act | float]:
    return [*_offered(who, 0, 0, 0), Act("decline an offer", who)]


def _silent(who: int, _other: int, _queue: int, _taste: int) -> list[Act | float]:
    return [*_offered(who, 0, 0, 0), 11.0, Act("sweep", queue=DUEL)]


def _cools_off(who: int, other: int, _queue: int, _taste: int) -> list[Act | float]:
    told = Act("count a report", other, who)
    return [told, Act("offend", who, taste=1), Act("offend", who, taste=1)]


def _reported(who: int, other: int, _queue: int, _taste: int) -> list[Act | float]:
    return [Act("count a report", who, (who + 1) % PLAYERS if who == other else other)]


def _away(who: int, other: int, queue: int, taste: int) -> list[Act | float]:
    gone = Act("go away, or come back", who, taste=1)
    return [*_challenged(who, other, queue, taste), gone, 200.0, Act("judge")]


SCENES: Mapping[str, Scene] = {
    "the last comes into a room": _last_comes,
    "the host starts": _host_starts,
    "the last is ready": _last_is_ready,
    "the last is picked": _draft,
    "the last map but one is struck out": _veto,
    "the clock picks": _turn_is_over,
    "somebody is removed": _removed,
    "somebody removed comes back": _comes_back,
    "the host leaves": _host_leaves,
    "a challenge is accepted": _challenged,
    "the challenger comes": _challenger_comes,
    "the second of an appointment comes": _appointed,
    "a round begins": _round,
    "a round is paired": _round_meets,
    "the last accepts an offer": _accepted,
    "an offer is declined": _declined,
    "an offer ends in silence": _silent,
    "somebody is to cool off": _cools_off,
    "a report counts": _reported,
    "somebody has left a match": _away,
}
