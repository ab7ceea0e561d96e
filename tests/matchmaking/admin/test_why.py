"""Why a match was made, in words, on the pages of its offer and of the match."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from accounts.models import User
from matchmaking.admin.offer_record import Why, strategy_in_words, why_of
from matchmaking.models import Offer
from matchmaking.pairing import Tickets
from matchmaking.pairing.plan import Plan
from matchmaking.pairing.records import records
from matchmaking.pairing.settings import Settings
from matchmaking.pairing.strategies.choose import find_matches
from tests.matchmaking.hall import Hall, make_hall
from tests.ratings.admin_cast import operator


def told(ratings: list[float], strategy: str = "filters", **plan: Any) -> Why:
    """The words for the first match that is made of tickets with these ratings, who came a second apart."""
    n = len(ratings)
    sections = plan.pop("sections", {})
    settings = Settings.build(strategy, sections)
    tickets = Tickets(
        id=list(range(1, n + 1)),  # type: ignore[arg-type]
        player=list(range(1, n + 1)),  # type: ignore[arg-type]
        rating=ratings,  # type: ignore[arg-type]
        deviation=[float("nan")] * n,  # type: ignore[arg-type]
        waited=[float(n - number) for number in range(n)],  # type: ignore[arg-type]
    )
    made = Plan(settings=settings, **plan)
    matches = find_matches(tickets, made)
    assert len(matches)
    why = why_of(Offer(record=records(tickets, made, matches)[0]))
    assert why is not None
    return why


def test_two_players() -> None:
    why = told([1500.0, 1530.0])
    facts = dict(why.facts)
    assert facts["Strategy"] == "filters that widen"
    assert sorted(facts["Waited"].split(", ")) == ["1\u202fs", "2\u202fs"]
    assert facts["Rating gap between the teams"] == "30"
    (gap,) = [one for one in why.conditions if one.name == "Rating gap"]
    assert (gap.use, gap.distance, gap.accepted) == ("must", "30", "105")
    assert why.teams == []


def test_teams() -> None:
    why = told([1500.0, 1540.0, 1460.0, 1500.0], team_size=2)
    facts = dict(why.facts)
    assert facts["Spread of the ratings"] == "80, of 305 that all accepted"
    assert facts["Split into teams"].startswith("the most even of all splits; 0 points apart")
    assert [(team.rating, team.parties) for team in why.teams] == [("1,500", "1 + 1")] * 2


@pytest.mark.parametrize(
    ("strategy", "words"),
    [
        ("buckets", "buckets"),
        ("fcfs", "first come, first served"),
    ],
)
def test_other_strategies(strategy: str, words: str) -> None:
    facts = dict(told([1500.0, 1510.0], strategy).facts)
    assert facts["Strategy"] == words
    assert ("Level of the buckets" in facts) == (strategy == "buckets")


def test_a_new_pool_and_unknown_strategies_have_names() -> None:
    facts = dict(
        told([1500.0, 1510.0], is_grown=False, sections={"bootstrap": {"until": 50}}).facts
    )
    assert facts["Strategy"] == "even mixing of a new pool"
    assert strategy_in_words("luck") == "luck"
    assert strategy_in_words("") == strategy_in_words(None) == "strategy unknown"


def test_maps_sides_and_the_games_own_conditions() -> None:
    record = {
        "strategy": "filters",
        "map": {"name": "River", "why": "even", "likes": 1, "uneven": 3.25},
        "side": {"points": 12.5, "why": "weaker first"},
        "roles": {"tank": 1, "healer": 2},
        "conditions": [
            {
                "name": "same_mood",
                "use": "prefer",
                "distance": 0.25,
                "accepted": None,
                "cost": 1.5,
            },
            {"name": "region", "use": "drop", "distance": 45.0, "accepted": 90.0, "cost": 0.0},
            {"name": "language", "use": "must", "distance": 0.0, "accepted": 0.0, "cost": 0.0},
            {"name": "win_chance", "use": "must", "distance": 0.1, "accepted": 0.15, "cost": 0},
        ],
    }
    why = why_of(Offer(record=record))
    assert why is not None
    facts = dict(why.facts)
    assert facts["Map"] == "River: the others would have been less even; wanted by 1"
    assert facts["Side"].endswith("which is the first; the first is worth 12.5 points")
    assert facts["Roles of a team"] == "tank 1, healer 2"
    own, region, language, chance = why.conditions
    assert (own.name, own.use, own.distance, own.accepted, own.cost) == (
        "Same mood",
        "prefer",
        "0.25",
        "anything",
        "1.5\u202fs",
    )
    assert (region.distance, region.accepted) == ("45\u202fms", "90\u202fms")
    assert (language.name, language.distance, language.accepted) == ("Language", "fits", "fits")
    assert (chance.distance, chance.accepted) == ("10%", "15%")


def test_ground_that_nobody_chose_is_told_in_few_words() -> None:
    record = {
        "map": {"name": "Canyon", "why": "lot", "likes": 0, "uneven": 6.35},
        "side": {"points": 0.0, "why": "lot"},
    }
    why = why_of(Offer(record=record))
    assert why is not None
    facts = dict(why.facts)
    assert (facts["Map"], facts["Side"]) == (
        "Canyon: drawn by lot",
        "drawn by lot; none is worth more",
    )


@pytest.fixture
def hall() -> Hall:
    return make_hall(2)


def offered(hall: Hall) -> Offer:
    hall.join(0, 1)
    hall.sweep()
    hall.accept(0)
    made = hall.accept(1)
    record = {"strategy": "buckets", "level": 2, "gap": 12.0}
    Offer.objects.filter(pk=made.pk).update(record=record)
    return Offer.objects.get(pk=made.pk)


@pytest.mark.django_db
def test_the_pages_of_the_offer_and_of_its_match_say_why(hall: Hall) -> None:
    client, offer = operator(), offered(hall)
    own = reverse("admin:matchmaking_offer_change", args=[offer.pk])
    match = reverse("admin:ratings_match_change", args=[offer.match_id])
    for address in (own, match):
        shown = client.get(address).content.decode()
        assert "Why this match was made" in shown
        assert "Level of the buckets" in shown
    assert own in client.get(match).content.decode()
    Offer.objects.update(record={})
    assert "Nothing was recorded." in client.get(own).content.decode()


@pytest.mark.django_db
def test_a_match_without_an_offer_says_nothing_of_one(hall: Hall) -> None:
    match = hall.put_into_match(0, against=1)
    shown = operator().get(reverse("admin:ratings_match_change", args=[match.pk])).content.decode()
    assert "Why this match was made" not in shown


@pytest.mark.django_db
def test_whoever_may_see_matches_only_does_not_see_offers(hall: Hall) -> None:
    offer = offered(hall)
    clerk = User.objects.create_user("carl", is_staff=True)
    clerk.user_permissions.add(Permission.objects.get(codename="view_match"))
    client = Client()
    client.force_login(clerk)
    shown = client.get(reverse("admin:ratings_match_change", args=[offer.match_id]))
    assert shown.status_code == 200
    assert "Why this match was made" not in shown.content.decode()
