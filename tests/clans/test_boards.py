"""Clans on a ladder: by the mean or the sum of their best members, held to a plain reckoning."""

import random
from typing import Any

import pytest
from django.test import Client

from clans import lifecycle, membership
from clans.boards import clan_board
from clans.models import BoardBy, ClanRules, Membership
from foundation import clock
from leaderboards.models import Standing
from leaderboards.models.standings import HiddenAs
from ratings.models import Rating
from tests.api.world import make_world
from tests.clans.making import founded, joined
from tests.forms import often
from tests.leaderboards.site import make_site
from tests.matchmaking.hall import Hall, make_hall
from tests.matchmaking.visiting import text_of

pytestmark = pytest.mark.django_db


def rated_hall(values: list[float], unlisted: frozenset[int] = frozenset()) -> Hall:
    """A hall whose players have these ratings and stand on the board, but for some who are hidden."""
    hall = make_hall(len(values))
    hall.rate(dict(enumerate(values)))
    ratings = Rating.objects.filter(track=hall.track).order_by("player")
    Standing.objects.bulk_create(
        Standing(
            rating=rating,
            track=hall.track,
            player_id=rating.player_id,
            order_value=rating.value,
            listed=number not in unlisted,
            hidden_as=HiddenAs.INACTIVE,
        )
        for number, rating in enumerate(ratings)
    )
    return hall


def board(hall: Hall, counted: int, by: BoardBy) -> list[tuple[int, int, Any, int]]:
    rules = ClanRules(game=hall.ladder.game, counted=counted, board_by=by)
    return [(row.rank, row.clan.pk, row.value, row.listed) for row in clan_board(hall.track, rules)]


def reckoned(counted: int, by: BoardBy) -> list[tuple[int, int, Any, int]]:
    """The same, clan by clan."""
    clans = dict(Membership.objects.values_list("player", "clan"))
    values: dict[int, list[float]] = {}
    for player, value in Standing.objects.filter(listed=True).values_list("player", "order_value"):
        if player in clans:
            values.setdefault(clans[player], []).append(value)
    figures = []
    for clan, of_members in values.items():
        best = sorted(of_members, reverse=True)[:counted]
        if by == BoardBy.SUM or len(best) == counted:
            shared = counted if by == BoardBy.MEAN else 1
            figures.append((sum(best) / shared, clan, len(of_members)))
    figures.sort(key=lambda one: (-one[0], one[1]))
    return [
        (1 + sum(other > value for other, _clan, _n in figures), clan, pytest.approx(value), size)
        for value, clan, size in figures
    ]


def test_it_is_as_reckoned_clan_by_clan() -> None:
    for seed in range(often(2, 20)):
        chance = random.Random(seed)
        # Few values, so that some clans are level.
        values = [float(chance.choice((1400, 1500, 1600))) for _ in range(14)]
        hall = rated_hall(values, frozenset(chance.sample(range(14), 2)))
        clans = [
            founded(hall, number, name=f"Clan {number}", tag=f"C{number}X", access="open")
            for number in range(4)
        ]
        for number in range(4, 14):
            if chance.random() < 0.9:
                joined(hall, chance.choice(clans), number)
        for counted in (1, 2, 3):
            for by in BoardBy:
                assert board(hall, counted, by) == reckoned(counted, by), (seed, counted, by)
        Standing.objects.all().delete()
        for clan in clans:
            assert clan.leader is not None
            lifecycle.dissolve(clan_id=clan.pk, by=clan.leader)


def test_whoever_leaves_counts_no_more() -> None:
    hall = rated_hall([1500.0, 1900.0, 1600.0])
    clan = founded(hall, access="open")
    joined(hall, clan, 1)
    other = founded(hall, 2, name="Foxes", tag="FOX")
    assert [row[1] for row in board(hall, 1, BoardBy.MEAN)] == [clan.pk, other.pk]
    membership.leave(clan_id=clan.pk, player=hall.players[1])
    assert [row[1] for row in board(hall, 1, BoardBy.MEAN)] == [other.pk, clan.pk]


def test_the_page_shows_clans_as_the_operator_chose() -> None:
    site = make_site()
    game = site.arena.game
    with clock.at(site.now):
        for number, tag in ((0, "WLF"), (1, "FOX")):
            settings = {"name": f"Clan {tag}", "tag": tag}
            lifecycle.found(player=site.arena.players[number], settings=settings)
    address = f"{site.address}clans/"
    rules = ClanRules.objects.create(game=game)
    assert "No clan is ranked here yet" in text_of(Client(), address)
    rules.counted = 1
    rules.save()
    text = text_of(Client(), address)
    assert text.index("Clan WLF") < text.index("Clan FOX")
    assert f'href="{address}"' in text_of(Client(), site.address)


def test_a_ladder_of_normal_mode_has_none() -> None:
    world = make_world()
    assert Client().get(f"/ladders/{world.normal.slug}/clans/").status_code == 404
    assert world.call("GET", f"ladders/{world.normal.slug}/clans").status_code == 404
    ClanRules.objects.create(game=world.game, counted=1)
    (row,) = world.get(f"ladders/{world.ladder.slug}/clans")["results"]
    assert (row["rank"], row["clan"]["tag"], row["listed"]) == (1, "WLF", 1)
    assert row["best"]["name"] == world.anna.name
