"""A player's matches over all games: on the start page, in the account menu, and on a page of their own."""

import re
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from foundation import clock
from leaderboards.matches.lists import version_of_lines
from leaderboards.own import own_lines
from ratings.matches.start import start_match
from ratings.models import Match, Mode, Participant, Player, RatingTrack
from tests.leaderboards.site import HIDDEN, HTMX, Site, make_site, tells_hidden
from tests.ratings.arena import Played
from tests.shown import as_shown
from tests.worlds import shared

pytestmark = pytest.mark.django_db
ADDRESS = "/matches/mine/"


@shared
def site() -> Site:
    return make_site()


@shared
def account() -> User:
    return User.objects.create_user("anna-account")


@shared
def anna(site: Site, account: User) -> Client:
    """Signed in; has won each of her six matches."""
    return owner_of(site, account)


def owner_of(site: Site, account: User) -> Client:
    site.anna.user = account
    site.anna.save()
    client = Client()
    client.force_login(account)
    return client


def get(client: Client, site: Site, address: str, **more: Any) -> str:
    with clock.at(site.now):
        answer = client.get(address, **more)
    assert answer.status_code == 200, answer.content.decode()[:300]
    return as_shown(answer.content.decode())


def matches_of(player: Player) -> list[Match]:
    return list(Match.objects.filter(participants__player=player))


def numbers_in(text: str) -> list[int]:
    """Ids of the matches of a list, as they stand there."""
    return [int(pk) for pk in re.findall(r'fold-end">\s*<a href="/matches/(\d+)/"', text)]


def test_the_start_page_shows_the_last_ones_and_the_way_to_all(site: Site, anna: Client) -> None:
    text = get(anna, site, "/")
    own = text[text.index("own-matches-heading") : text.index('id="games"')]
    latest = sorted((match.pk for match in matches_of(site.anna)), reverse=True)
    assert numbers_in(own) == latest[:5]
    assert own.count("delta-gain") == 5
    assert own.count("result-win") == 5
    assert f'href="{ADDRESS}"' in own
    assert "own-matches-heading" not in get(Client(), site, "/")


def test_the_menu_leads_to_all_of_them(site: Site, anna: Client) -> None:
    header = get(anna, site, "/search/").split("</header>")[0]
    assert f'href="{ADDRESS}"' in header
    text = get(anna, site, ADDRESS)
    assert numbers_in(text) == sorted((m.pk for m in matches_of(site.anna)), reverse=True)
    assert f'href="{site.address}"' in text  # each says where it was played
    assert ADDRESS not in get(Client(), site, "/search/")


def test_it_is_for_who_is_signed_in(site: Site) -> None:
    answer = site.get(ADDRESS)
    assert answer.status_code == 302
    assert answer["Location"] == f"/accounts/login/?next={ADDRESS}"


def test_it_goes_over_all_games_and_normal_mode_tells_no_rating(
    site: Site, account: User, anna: Client
) -> None:
    hidden = make_site(slug="chess", own=HIDDEN, system="elo", days=None, mode=Mode.NORMAL)
    owner_of(hidden, account)
    text = get(anna, hidden, ADDRESS)
    both = [match.pk for one in (site, hidden) for match in matches_of(one.anna)]
    assert numbers_in(text) == sorted(both, reverse=True)
    assert text.count("delta-gain") == 6  # of the public ladder alone
    assert f'href="{hidden.address}"' not in text
    assert f'data-live="player ladder:{site.arena.ladder.pk}"' in text  # the other tells nothing
    assert "not rated yet" not in text
    assert text.count("fold-hide") == 2 * 6  # on a phone no dashes for what nobody is told
    assert not tells_hidden(text)
    other = User.objects.create_user("björn")
    hidden.arena.players[1].user = other
    hidden.arena.players[1].save()
    visitor = Client()
    visitor.force_login(other)
    theirs = numbers_in(get(visitor, hidden, ADDRESS))
    assert theirs == sorted((m.pk for m in matches_of(hidden.arena.players[1])), reverse=True)


def test_one_that_is_being_played_is_there_from_its_beginning(site: Site, anna: Client) -> None:
    begun = start_match(
        ladder=site.arena.ladder, teams=[[site.anna.pk], [site.arena.players[1].pk]]
    )
    text = get(anna, site, ADDRESS)
    assert numbers_in(text)[0] == begun.pk
    row = text[text.index("<tbody>") :].split("</tr>")[0]
    assert row.count("being played") == 1


def test_pages_follow_each_other_without_gaps(
    site: Site, anna: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leaderboards.views.own.SIZE", 4)
    first = get(anna, site, ADDRESS)
    (older,) = re.findall(rf'rel="next" href="({ADDRESS}\?before=\d+)', first)
    second = get(anna, site, older)
    listed = numbers_in(first) + numbers_in(second)
    assert listed == sorted((m.pk for m in matches_of(site.anna)), reverse=True)
    assert 'rel="next"' not in second
    assert f'href="{ADDRESS}"' in second.split('class="pager"')[1]
    beyond = get(anna, site, f"{ADDRESS}?before=1")
    assert "No older matches" in beyond
    assert anna.get(f"{ADDRESS}?before=x").status_code == 400


def test_who_has_played_nothing_is_told_where_to_begin(site: Site) -> None:
    newcomer = Client()
    newcomer.force_login(User.objects.create_user("new"))
    text = get(newcomer, site, ADDRESS)
    assert "No matches yet" in text
    assert re.search(r'class="button button-quiet" href="/play/"', text)


def test_it_asks_for_news_and_is_told_when_there_is_none(site: Site, anna: Client) -> None:
    text = get(anna, site, ADDRESS)
    assert f'data-live="player ladder:{site.arena.ladder.pk}"' in text
    (again,) = re.findall(r'data-live-calm hx-get="([^"]+)"', text)
    with clock.at(site.now):
        assert anna.get(again, headers=HTMX).status_code == 204
    site.play(Played(20.0, 0, 1, 1.0))
    part = get(anna, site, again, headers=HTMX)
    assert "<html" not in part
    assert len(numbers_in(part)) == 7


def test_its_version_moves_with_what_is_rated_without_a_change_and_with_scores(site: Site) -> None:
    def version() -> str:
        return version_of_lines(own_lines([site.anna.pk], 5))

    (match,) = site.play(Played(20.0, 0, 1, 1.0))
    Match.objects.filter(pk=match.pk).update(ladder_seq=500, counts_at=F("played_at"))
    unrated = version()
    RatingTrack.objects.filter(pk=site.track.pk).update(rated_seq=500)
    passed_over = version()
    assert passed_over != unrated
    Participant.objects.filter(match=match).exclude(player=site.anna).update(score=7.0)
    assert version() != passed_over


@pytest.mark.parametrize(("address", "most"), [("/", 40), (ADDRESS, 16)])
def test_it_reads_as_much_however_much_was_played(
    site: Site, anna: Client, account: User, address: str, most: int
) -> None:
    second = make_site(slug="chess", rounds=1)
    owner_of(second, account)

    def queries() -> int:
        with CaptureQueriesContext(connection) as found:
            get(anna, second, address)
        return len(found)

    few = queries()
    second.play(*(Played(10 + day / 10, 0, 1 + day % 3, 1.0) for day in range(60)))
    second.rate(day=30.0)
    both = [site.anna.pk, second.anna.pk]
    assert len(everything := own_lines(both, 100)) == 69
    with CaptureQueriesContext(connection) as found:
        latest = own_lines(both, 5)
    assert [line.match.pk for line in latest] == [line.match.pk for line in everything[:5]]
    assert "LIMIT 5)" in found[0]["sql"]  # of each player's
    assert queries() == few <= most


def test_the_overview_asks_for_news_of_itself(site: Site, anna: Client) -> None:
    text = get(anna, site, "/")
    assert f'data-live="player ladder:{site.arena.ladder.pk}"' in text
    (again,) = re.findall(r'data-live-calm hx-get="(/overview/[^"]+)"', text)
    with clock.at(site.now):
        assert anna.get(again, headers=HTMX).status_code == 204
        assert anna.get(again)["Location"] == "/"
        assert Client().get(again, headers=HTMX)["HX-Refresh"] == "true"
    start_match(ladder=site.arena.ladder, teams=[[site.anna.pk], [site.arena.players[1].pk]])
    part = get(anna, site, again, headers=HTMX)
    assert part.lstrip().startswith('<div class="home-own" id="home-own"')
    assert "Happening now" in part
    assert "<h1>" in part  # with the button beside it, which a suspension takes away
    assert "<html" not in part
