"""The leaderboard in the browser."""

import html
import re

import pytest
from django.test import Client

from accounts.models import User
from foundation import clock
from leaderboards.boards import refresh
from ratings.models import Ladder, Mode, Player, RatingTrack
from tests.leaderboards.cast import DAY, NOON, ROOKIE, Cast, make_cast
from tests.leaderboards.site import HTMX, add_players, count_queries, make_site
from tests.ratings.arena import Played
from tests.shown import as_shown
from tests.worlds import shared

pytestmark = pytest.mark.django_db
ADDRESS = "/ladders/blitz/"


def fill(count: int = 120) -> Cast:
    """A board of so many: player 0 has most points, the last ten are provisional, the five before rest."""
    cast = make_cast(count)
    cast.rate(
        {
            position: {
                "value": 3000.0 - position,
                **(ROOKIE if position >= count - 10 else {}),
                "last_played_at": NOON - 400 * DAY if -15 <= position - count < -10 else NOON,
            }
            for position in range(count)
        }
    )
    with clock.at(NOON):
        refresh.refresh(cast.track.pk)
    return cast


@shared
def cast() -> Cast:
    return fill()


@shared
def twenty() -> Cast:
    return fill(20)


def get(
    address: str, headers: dict[str, str] | None = None, *, client: Client | None = None
) -> str:
    with clock.at(NOON):
        answer = (client or Client()).get(address, headers=headers)
    assert answer.status_code == 200, answer.content.decode()[:500]
    return as_shown(answer.content.decode())


def ranks(text: str) -> list[int]:
    """The ranks on a page, in order."""
    found = re.findall(r'<td class="rank[^"]*">([\d,]+)</td>', text)
    return [int(rank.replace(",", "")) for rank in found]


def test_it_works() -> None:
    text = make_site().text("/ladders/go/")
    assert ranks(text) == [1, 2, 3, 4]
    assert text.index("Anna") < text.index("Björn") < text.index("Çelik") < text.index("Dmitri")
    for heading in ("Rank", "Player", "Rating", "Points", "W–D–L", "Win %", "Games", "Last played"):
        assert heading in text
    assert "Updated" in text
    assert "Next update" in text


def test_with_htmx_only_the_board_comes(cast: Cast) -> None:
    whole, part = get(ADDRESS), get(ADDRESS, HTMX)
    assert "<html" in whole
    assert part.lstrip().startswith('<div id="board"')
    assert "<html" not in part
    assert part.split('<p id="announcement"')[0].strip() in whole


def test_going_back_in_the_history_gives_the_whole_page() -> None:
    fill(3)
    text = get(ADDRESS, {**HTMX, "HX-History-Restore-Request": "true"})
    assert "<html" in text


def test_caches_keep_page_and_part_apart() -> None:
    fill(3)
    with clock.at(NOON):
        answer = Client().get(ADDRESS)
    assert "HX-Request" in answer.headers["Vary"]


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_every_page_leads_to_the_next_and_back(headers: dict[str, str], cast: Cast) -> None:
    address, seen = ADDRESS, []
    while True:
        text = get(address, headers)
        seen += ranks(text)
        found = re.search(r'rel="next" href="([^"]+)"', text)
        if found is None:
            break
        address = found[1].replace("&amp;", "&")
    assert seen == list(range(1, 106))
    back = re.search(r'rel="prev" href="([^"]+)"', text)
    assert back is not None
    assert ranks(get(back[1].replace("&amp;", "&"), headers)) == list(range(51, 101))


def test_hidden_players_are_counted_and_can_be_shown(cast: Cast) -> None:
    text = get(ADDRESS)
    assert "Show 15 hidden players" in text
    assert "Player 119<" not in text
    shown = get(ADDRESS + "?everyone=1&rank=100")
    assert "Player 119<" in shown
    assert "badge-provisional" in shown
    assert "badge-inactive" in shown
    assert "switch-on" in shown


def test_a_rank_can_be_jumped_to(cast: Cast) -> None:
    assert ranks(get(ADDRESS + "?rank=73"))[0] == 73


def test_a_rank_beyond_the_end_says_so(cast: Cast) -> None:
    text = get(ADDRESS + "?rank=5000")
    assert "ends before this rank" in text
    assert ranks(text)[0] == 1


def test_a_player_can_be_found_by_name(cast: Cast) -> None:
    text = get(ADDRESS + "?q=PLAYER 4")
    player = cast.players[4]
    assert f"?player={player.pk}" in text
    assert "Player 5<" not in text[: text.index("<table")]
    assert "Nobody on this ladder is called" in get(ADDRESS + "?q=zorro")


def test_a_hidden_player_is_found_among_everyone(cast: Cast) -> None:
    rookie = cast.players[119]
    assert f"?everyone=1&amp;player={rookie.pk}" in get(ADDRESS + "?q=player 119")


def test_the_page_around_a_player_marks_him(cast: Cast) -> None:
    player = cast.players[70]
    text = get(f"{ADDRESS}?player={player.pk}")
    row = text[text.index('<tr id="found"') :]
    assert row.index(f"/players/{player.pk}/") < row.index("</tr>")
    assert 71 in ranks(text)
    assert "<tr aria-current" not in text  # it is the reader's own for nobody else
    user = User.objects.create_user("otto", password="secret")
    Player.objects.filter(pk=player.pk).update(user=user)
    client = Client()
    client.force_login(user)
    own = get(f"{ADDRESS}?player={player.pk}", client=client)
    assert re.search(r'<tr\s+id="found"\s+aria-current="true"', own)
    mark = '<span class="badge badge-new">you</span>'
    assert mark not in text
    assert own.count(mark) == 1  # in words too, not by colour alone


def test_a_player_who_is_hidden_is_not_on_the_page(cast: Cast) -> None:
    text = get(f"{ADDRESS}?player={cast.players[119].pk}")
    assert "not on the leaderboard" in text
    assert "Show the hidden players too" in text


def test_beyond_the_last_rank(cast: Cast) -> None:
    text = get(f"{ADDRESS}?rank=110")  # 105 are listed, and 15 hidden
    assert "ends before this rank" in text
    assert f'href="{ADDRESS}?everyone=1&amp;rank=110">Show the hidden players too' in text
    for rank in (121, "9" * 20, "9" * 5000):
        text = get(f"{ADDRESS}?rank={rank}")
        assert "ends before this rank" in text
        assert "Show the hidden players too" not in text


def test_find_me_leads_to_my_own_player(cast: Cast) -> None:
    user = User.objects.create_user("otto", password="secret")
    Player.objects.filter(pk=cast.players[80].pk).update(user=user)
    client = Client()
    client.force_login(user)
    text = get(ADDRESS, client=client)
    assert f'href="{ADDRESS}?player={cast.players[80].pk}#found"' in text
    assert "Find me" in text
    assert "Find me" not in get(ADDRESS)


@pytest.mark.parametrize(
    "query",
    [
        "rank=0",
        "rank=-1",
        "rank=x",
        "rank=²",
        "player=x",
        "after=nonsense",
        "before=%00",
        "everyone=2",
        "rank=1&player=1",
    ],
)
def test_parameters_that_mean_nothing_are_refused(query: str) -> None:
    fill(3)
    answer = Client().get(f"{ADDRESS}?{query}")
    assert answer.status_code == 400
    assert "This request doesn't work" in answer.content.decode()


def test_a_ladder_that_is_not_there() -> None:
    assert Client().get("/ladders/nothing/").status_code == 404


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_ladder_of_normal_mode_is_not_there(headers: dict[str, str]) -> None:
    site = make_site(mode=Mode.NORMAL)
    assert site.get(site.address, headers).status_code == 404


def test_a_track_that_is_not_shown_is_not_there() -> None:
    text = make_site(shown=False).text("/ladders/go/")
    assert "This ladder has no ratings yet" in text
    assert "standings" not in text


def test_an_empty_board_says_why() -> None:
    cast = make_cast(2)
    assert "Nobody is ranked yet" in get(ADDRESS)
    cast.values([1500.0, 1400.0], **ROOKIE)
    with clock.at(NOON):
        refresh.refresh(cast.track.pk)
    assert "Show the hidden players" in get(ADDRESS)


def test_deviations_are_explained_where_there_are_any() -> None:
    assert "± after a rating" in make_site().text("/ladders/go/")
    fill(20)
    assert "± after a rating" not in get(ADDRESS)


def test_short_periods_and_systems_are_named_as_people_name_them() -> None:
    cast = make_cast(2)
    RatingTrack.objects.filter(pk=cast.track.pk).update(period_days=1 / 1440, system="glicko2")
    text = get(ADDRESS)
    assert "at the end of each rating period of 1 minute" in text
    assert "<dd>Glicko-2</dd>" in text


def test_an_empty_board_offers_no_rank_to_jump_to() -> None:
    make_cast(2)
    assert "board-jump" not in get(ADDRESS)
    assert "board-jump" in make_site().text("/ladders/go/")


def test_names_are_shown_as_text(twenty: Cast) -> None:
    Player.objects.filter(pk=twenty.players[0].pk).update(name="<b>Bold</b>")
    Ladder.objects.update(name="Ladder & <i>Co</i>")
    text = get(ADDRESS)
    assert "<b>Bold</b>" not in text
    assert "&lt;b&gt;Bold&lt;/b&gt;" in text
    assert "<i>Co</i>" not in text


def test_only_reading_is_possible() -> None:
    fill(3)
    assert Client().post(ADDRESS).status_code == 405


def test_the_number_of_queries_is_constant() -> None:
    small = make_site(players=3, rounds=3)

    def counted() -> dict[str, int]:
        return {
            f"{query} {headers}": count_queries(small, small.address + query, headers)
            for query in ("", "?everyone=1", "?rank=2", "?q=player")
            for headers in ({}, HTMX)
        }

    few = counted()
    assert max(few.values()) <= 14
    add_players(small, 30)
    small.play(*(Played(20 + n / 10, n % 33, (n + 1) % 33, 1.0) for n in range(200)))
    small.rate(day=60)
    assert counted() == few


def test_new_standings_come_alone_and_keep_the_place(cast: Cast) -> None:
    page = get(f"{ADDRESS}?rank=51")
    found = re.search(
        r'id="standings" data-live="ladder:(\d+)" data-live-calm hx-get="([^"]+)"', page
    )
    assert found is not None
    assert int(found[1]) == cast.ladder.pk
    address = html.unescape(found[2])
    with clock.at(NOON):
        assert Client().get(address, headers=HTMX).status_code == 204
        cast.rate({0: {"value": 1.0}})
        refresh.refresh(cast.track.pk)
    news = get(address, HTMX)
    assert news.lstrip().startswith('<div id="standings"')
    assert ranks(news)[0] == 51
    assert 'id="board-facts" hx-swap-oob="true"' in news
    assert "board-tools" not in news
    assert "announcement" not in news


def test_it_speaks_german(twenty: Cast) -> None:
    text = get(ADDRESS, {"Accept-Language": "de"})
    assert '<html lang="de"' in text
    assert ranks(text) == [1, 2, 3, 4, 5]
