"""Feedback is its author's: no other answer changes by it, and what searches tell of it is bounded."""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.stats import beta, binom

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
# Whoever is to meet rather those who like it is to meet them more often: so much searches do tell. How much is what a
# guesser gets out of them who knows the rule, the pool, the worth and how often each would be met, and has counted how
# often he met somebody in so many searches of one pool: to say "likes it" or "does not" is right by chance every
# second time. He must search more often than this to be right 19 times of 20: never sure after an evening of ten
# searches, whatever an operator sets; and by the default worth not after three such evenings.
SURE = 0.95
MORE_SEARCHES_THAN = {10.0: 30, 20.0: 10}
# The chance that a share is outside the range that its count gives, on either side (Clopper and Pearson 1934).
ERROR = 0.01
SEARCHES = often(300, 3000)


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


@dataclass(frozen=True)
class Told:
    """Of so many searches those in which the first met the one asked about, by what that one said of the first.

    otherwise  of those in which that made no difference, in how many somebody else met somebody else by it
    """

    searches: int
    if_likes: int
    if_not: int
    only_if_not: int
    otherwise: int


def met_in(tickets: Tickets, plan: Plan) -> set[frozenset[int]]:
    found = find_matches(tickets, plan)
    return {frozenset(pair) for pair in found.ticket.reshape(-1, 2).tolist()}


def search_by_worth(worth: float) -> Told:
    """Search in the same pools once where one likes to play with the first, and once where not."""
    plan = Plan(
        settings=Settings.build("filters", {"taste": {"seconds": worth}}),
        rules=Rules(gap_start=150.0, gap_per_second=5.0),
        has_feedback=True,
    )
    random, asked = np.random.default_rng(17), frozenset((0, 1))
    if_likes = if_not = only_if_not = otherwise = 0
    for _ in range(SEARCHES):
        n, ties = int(random.integers(8, 16)), list[tuple[int, int, float]]()
        for _ in range(2 * n):  # others have tastes, too
            one, other = (int(end) for end in random.choice(np.arange(n), 2, replace=False))
            if {one, other} != asked:
                ties.append((one, other, float(random.choice([-0.5, -0.1, 0.1, 0.5]))))
        rating, waited = random.normal(1500, 100, n), random.uniform(0, 20, n)
        met = []
        for said in (0.5, -0.5):  # one direction: the first has said nothing
            first, second, value = (
                np.array(column) for column in zip(*[(0, 1, said), *ties], strict=True)
            )
            tickets = Tickets(
                id=np.arange(n),
                player=np.arange(n),
                rating=rating,
                deviation=np.full(n, np.nan),
                waited=waited,
                ties={"taste": Ties(one=first, other=second, value=value)},
            )
            met.append(met_in(tickets, plan))
        likes, dislikes = (asked in pairs for pairs in met)
        if_likes, if_not = if_likes + likes, if_not + dislikes
        only_if_not += dislikes and not likes
        otherwise += likes == dislikes and met[0] != met[1]
    return Told(SEARCHES, if_likes, if_not, only_if_not, otherwise)


def searches_until_sure(if_likes: float, if_not: float) -> int:
    """After how many searches the best guess is right as often as `SURE`; as likely to be asked of either."""
    for searches in range(1, 1000):
        counts = np.arange(searches + 1)
        wrong = np.minimum(
            binom.pmf(counts, searches, if_likes), binom.pmf(counts, searches, if_not)
        )
        if 1 - wrong.sum() / 2 >= SURE:
            return searches
    return 1000


def test_the_guesser_is_the_best_there_is() -> None:
    assert searches_until_sure(1.0, 0.0) == 1
    assert searches_until_sure(0.5, 0.5) == 1000
    # Met once: it is who likes it. Never met: half of half of half … of those who would meet now and then.
    assert searches_until_sure(0.5, 0.0) == 4


@pytest.mark.full
@pytest.mark.parametrize("worth", MORE_SEARCHES_THAN)
def test_whom_one_meets_tells_little_of_what_they_said(worth: float) -> None:
    told = search_by_worth(worth)
    assert told.if_likes > told.if_not  # it is heeded
    assert told.only_if_not == 0
    # Of equal costs one is taken: nothing else about a search changes by a word.
    assert told.otherwise <= 0.02 * told.searches
    # The shares by which guessing is easiest, of all that these counts leave possible.
    most = float(beta.ppf(1 - ERROR, told.if_likes + 1, told.searches - told.if_likes))
    least = float(beta.ppf(ERROR, told.if_not, told.searches - told.if_not + 1))
    assert searches_until_sure(most, least) > MORE_SEARCHES_THAN[worth]


def test_the_worth_has_a_limit_and_is_never_a_must() -> None:
    parameters = {one.name: one for one in TasteSection.described()}
    assert parameters["seconds"].maximum == max(MORE_SEARCHES_THAN)
    assert parameters["seconds"].default == min(MORE_SEARCHES_THAN)
    assert parameters["use"].choices == ("off", "prefer")
    assert "after" not in parameters
