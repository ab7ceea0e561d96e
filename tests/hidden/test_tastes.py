"""Feedback is its author's: no other answer changes by it, and a search tells its subject next to nothing."""

import numpy as np
import pytest

from matchmaking.models import Feedback
from matchmaking.pairing.conditions.taste import TasteSection
from matchmaking.pairing.plan import Plan, Rules
from matchmaking.pairing.settings import Settings
from matchmaking.pairing.strategies.choose import find_matches
from matchmaking.pairing.tickets import Tickets, Ties
from ratings.models import Mode
from tests.forms import often
from tests.hidden.surfaces import Answer, ask_all, is_for_all_times
from tests.hidden.test_hidden import differences, plain
from tests.hidden.theatre import ACTS, Theatre, make_theatre

HER_OWN = ("a player", "a player's page that asks for a part")
# What one search tells of one word, by whom one meets: how much likelier one meets somebody who likes it than somebody
# who does not. By the default worth, and by the most that an operator can set.
BOUNDS = {10.0: 0.12, 60.0: 0.35}
SEARCHES = often(500, 6000)


def belongs_to_anna(answer: Answer, theatre: Theatre) -> bool:
    """Whether an answer is for Anna, or for a server that asked in her name."""
    name = theatre.people["Anna"].player.external_id
    asked = f"me/feedback?player={name}" in answer.address
    return answer.visitor in HER_OWN or (answer.visitor == "the game's server" and asked)


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_nobody_else_learns_of_a_word() -> None:
    theatre = make_theatre(Mode.RANKED)
    for name in ("searching", "offered", "playing"):
        with theatre.at_now():
            ACTS[name](theatre)
    anna, otto = (theatre.people[name].player for name in ("Anna", "Otto"))
    Feedback.objects.create(
        game_id=anna.game_id, author=anna, subject=otto, enjoyed=False, tags=["obscene"]
    )
    with theatre.at_now():
        before = list(ask_all(theatre, lambda route: not is_for_all_times(route)))
        Feedback.objects.all().delete()
        after = list(ask_all(theatre, lambda route: not is_for_all_times(route)))
    pairs = list(zip(before, after, strict=True))
    others = [pair for pair in pairs if not belongs_to_anna(pair[0], theatre)]
    assert len(others) > 300
    assert differences([plain(one) for one, _ in others], [plain(one) for _, one in others]) == []
    changed = {one.address for one, other in pairs if plain(one) != plain(other)}
    assert "/play/feedback/" in changed
    assert f"/api/v1/me/feedback?player={anna.external_id}" in changed


def met_by_worth(worth: float, *, likes: bool) -> float:
    """How often the first of a pool meets the one who likes, or does not like, to play with the first."""
    plan = Plan(
        settings=Settings.build("filters", {"taste": {"seconds": worth}}),
        rules=Rules(gap_start=150.0, gap_per_second=5.0),
        has_feedback=True,
    )
    random, met = np.random.default_rng(17), 0
    for _ in range(SEARCHES):
        n = int(random.integers(8, 16))
        ties = [(0, 1, 0.5 if likes else -0.5)]  # one direction: the other has said nothing
        for _ in range(2 * n):  # others have tastes, too
            one, other = (int(end) for end in random.choice(np.arange(n), 2, replace=False))
            if {one, other} != {0, 1}:
                ties.append((one, other, float(random.choice([-0.5, -0.1, 0.1, 0.5]))))
        first, second, value = (np.array(column) for column in zip(*ties, strict=True))
        tickets = Tickets(
            id=np.arange(n),
            player=np.arange(n),
            rating=random.normal(1500, 100, n),
            deviation=np.full(n, np.nan),
            waited=random.uniform(0, 20, n),
            ties={"taste": Ties(one=first, other=second, value=value)},
        )
        found = find_matches(tickets, plan)
        match = {int(t): int(m) for t, m in zip(found.ticket, found.match, strict=True)}
        met += 0 in match and match.get(0) == match.get(1)
    return met / SEARCHES


@pytest.mark.parametrize("worth", BOUNDS)
def test_whom_one_meets_tells_little_of_what_they_said(worth: float) -> None:
    told = met_by_worth(worth, likes=True) - met_by_worth(worth, likes=False)
    assert 0 < told < BOUNDS[worth]


def test_the_worth_has_a_limit_and_is_never_a_must() -> None:
    parameters = {one.name: one for one in TasteSection.described()}
    assert parameters["seconds"].maximum == 60
    assert parameters["use"].choices == ("off", "prefer")
    assert "after" not in parameters
