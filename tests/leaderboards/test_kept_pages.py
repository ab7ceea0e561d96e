"""Public pages are rendered once for all who look, and nobody is shown what is another's, or long past."""

import re
import time

import pytest
from django.conf import settings
from django.db import connection
from django.db.models import F
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from foundation import clock, kept_pages, page_parts
from ratings.models import Match, Mode, Participant, Player, RatingTrack
from tests.leaderboards.own.test_own_matches import owner_of
from tests.leaderboards.site import HTMX, Site, make_site
from tests.ratings.arena import Played
from tests.shown import as_shown
from tests.worlds import shared

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("keep_pages")]
YOU = '<span class="badge badge-new">you</span>'


@shared
def site() -> Site:
    return make_site(system="elo", days=None)


@shared
def anna(site: Site) -> Client:
    return owner_of(site, User.objects.create_user("anna-account"))


@pytest.fixture
def compared(keep_pages: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every page be compared before it is shown, as after some seconds."""
    monkeypatch.setattr(settings, "PAGES_TRUSTED", 0.0)


def addresses(site: Site) -> list[str]:
    game = site.arena.game.slug
    pages = [f"/players/{site.anna.pk}/", f"/matches/{site.matches[0].pk}/", f"/games/{game}/"]
    return ["/", site.address, *pages]


def get(client: Client, site: Site, address: str, **headers: str) -> str:
    with clock.at(site.now):
        answer = client.get(address, headers=headers)
    assert answer.status_code == 200, answer.content.decode()[:300]
    return answer.content.decode()


def queries_of(client: Client, site: Site, address: str) -> int:
    with CaptureQueriesContext(connection) as found:
        get(client, site, address)
    return len(found)


@pytest.mark.parametrize("number", range(5))
def test_what_somebody_has_just_seen_asks_the_database_nothing(site: Site, number: int) -> None:
    address = addresses(site)[number]
    assert queries_of(Client(), site, address) > 3
    assert queries_of(Client(), site, address) == 0


@pytest.mark.usefixtures("compared")
@pytest.mark.parametrize("number", range(5))
def test_what_has_not_changed_is_compared_and_not_read(site: Site, number: int) -> None:
    address = addresses(site)[number]
    whole = queries_of(Client(), site, address)
    compared = queries_of(Client(), site, address)
    assert compared <= 10
    assert compared < whole


@pytest.mark.usefixtures("compared")
@pytest.mark.parametrize("number", [0, 1, 2, 4])
def test_what_has_changed_is_shown(site: Site, number: int) -> None:
    address = addresses(site)[number]
    before = get(Client(), site, address)
    site.play(Played(12.0, 1, 0, 1.0))
    site.rate(day=13.0)
    kept = get(Client(), site, address)
    kept_pages.forget_pages()
    assert plain(kept) == plain(get(Client(), site, address))
    assert plain(kept) != plain(before)


@pytest.mark.usefixtures("compared")
def test_what_was_seen_when_it_was_compared_goes_with_it(site: Site) -> None:
    """Of the same moment as what is read for the one who looks."""
    get(Client(), site, "/")
    tracks = RatingTrack.objects.filter(pk=site.track.pk)
    tracks.update(rated_seq=F("rated_seq") + 1)  # the board, and so the version, follows later
    get(Client(), site, "/")
    (page,) = kept_pages._pages.values()
    assert page.seen.tracks[site.arena.ladder.pk].rated_seq == tracks.get().rated_seq


def plain(page: str) -> str:
    """Without what differs from answer to answer."""
    return "\n".join(line for line in page.splitlines() if "csrf" not in line)


@pytest.mark.parametrize("number", [1, 0])
def test_whoever_reads_it_is_marked_and_nobody_else(site: Site, anna: Client, number: int) -> None:
    address = addresses(site)[number]
    mark = 'aria-current="true">' if number else YOU
    frame = get(Client(), site, address).count(mark)
    assert get(anna, site, address).count(mark) > frame
    assert get(Client(), site, address).count(mark) == frame
    stranger = Client()
    stranger.force_login(User.objects.create_user("stranger"))
    assert get(stranger, site, address).count(mark) == frame
    assert "<!--you" not in get(anna, site, address)


def test_whoever_is_signed_in_sees_what_they_have_done(site: Site, anna: Client) -> None:
    address = f"/players/{site.anna.pk}/"
    get(anna, site, address)
    Player.objects.filter(pk=site.anna.pk).update(name="Annabel")
    assert "Annabel" in get(anna, site, address)


@pytest.mark.parametrize("number", [0, 1, 2])
def test_an_open_page_that_asks_for_news_gets_them_at_once(site: Site, number: int) -> None:
    address = addresses(site)[number]
    whole = get(Client(), site, address)
    seen = whole.partition("seen=")[2].partition('"')[0]
    part = "&part=ratings" if "players" in address else ""
    asking = f"{address}?seen={seen}{part}"
    with clock.at(site.now):
        assert Client().get(asking, headers=HTMX).status_code == 204
    site.play(Played(12.0, 1, 0, 1.0))
    site.rate(day=13.0)
    news = get(Client(), site, asking, **HTMX)
    assert f"seen={seen}" not in news
    assert "seen=" in news


def test_it_is_kept_for_each_language_and_host(site: Site) -> None:
    english = get(Client(), site, site.address)
    german = get(Client(), site, site.address, **{"Accept-Language": "de"})
    assert "Rangliste" in german
    assert "Rangliste" not in english
    elsewhere = get(Client(), site, site.address, host="localhost")
    assert "testserver" not in elsewhere


@pytest.mark.usefixtures("compared")
def test_what_is_public_no_more_is_not_shown(site: Site) -> None:
    kept = addresses(site)[1:]
    for address in kept:
        get(Client(), site, address)
    type(site.arena.ladder).objects.filter(pk=site.arena.ladder.pk).update(mode=Mode.NORMAL)
    with clock.at(site.now):
        gone = [address for address in kept if Client().get(address).status_code == 404]
    assert gone == [site.address, f"/matches/{site.matches[0].pk}/"]
    shown = get(Client(), site, f"/players/{site.anna.pk}/")
    assert f"/matches/{site.matches[0].pk}/" not in shown


def test_there_is_only_so_much_of_them(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    get(Client(), site, f"{site.address}?rank=1")
    (page,) = kept_pages._pages.values()
    monkeypatch.setattr(kept_pages, "MOST_BYTES", 3.5 * page.size)
    for rank in range(2, 6):
        get(Client(), site, f"{site.address}?rank={rank}")
    assert sum(kept.size for kept in kept_pages._pages.values()) <= 3.5 * page.size
    assert 3 <= len(kept_pages._pages) < 5
    assert queries_of(Client(), site, f"{site.address}?rank=5") == 0
    assert queries_of(Client(), site, f"{site.address}?rank=1") > 0


def test_what_they_take_is_known_without_counting(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages take the place of older ones, and are dropped and forgotten, one by one and all at once."""
    monkeypatch.setattr(settings, "PAGES_KEPT", 0.0)  # each is made anew
    for rank in (1, 2, 1, 3, 1):
        get(Client(), site, f"{site.address}?rank={rank}")
        sizes = [kept.size for kept in kept_pages._pages.values()]
        assert kept_pages._pages.size == sum(sizes)
    most = kept_pages._pages.size
    monkeypatch.setattr(kept_pages, "MOST_BYTES", most)
    get(Client(), site, f"{site.address}?rank=4")
    left = kept_pages._pages.values()
    assert 0 < len(left) < 4
    assert kept_pages._pages.size == sum(kept.size for kept in left) <= most
    monkeypatch.setattr(kept_pages, "MOST_BYTES", 1)  # none has room
    get(Client(), site, f"{site.address}?rank=5")
    assert (kept_pages._pages.size, len(kept_pages._pages)) == (0, 0)


def test_answers_that_are_asked_for_stay() -> None:
    for number in range(kept_pages.MOST_ANSWERS):
        kept_pages.keep_answer(number, "1", str(number))
    assert kept_pages.kept_answer(0, "1") == "0"
    kept_pages.keep_answer("one more", "1", "")
    assert kept_pages.kept_answer(0, "1") == "0"
    assert kept_pages.kept_answer(1, "1") is None
    assert kept_pages.kept_answer("one more", "1") == ""


def test_answers_of_one_kind_take_no_room_from_another() -> None:
    kept_pages.keep_answer("same key", "1", "a board")
    for number in range(kept_pages.MOST_ANSWERS):
        kept_pages.keep_answer(number, "1", "an overview", kind="own overview")
    kept_pages.keep_answer("same key", "1", "an overview", kind="own overview")
    assert kept_pages.kept_answer("same key", "1") == "a board"
    kept_pages.forget_pages()
    assert kept_pages.kept_answer("same key", "1", kind="own overview") is None


def test_an_overview_leaves_boards_their_room(site: Site, anna: Client) -> None:
    for number in range(kept_pages.MOST_ANSWERS):
        kept_pages.keep_answer(number, "1", "a board")
    assert "/overview/" in get(anna, site, "/")
    assert kept_pages.kept_answer(0, "1") == "a board"


def test_the_age_of_an_answer_counts_from_before_it_was_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(settings, "PAGES_KEPT", 5.0)
    seconds = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: seconds)
    kept_pages.keep_answer("key", "1", "read in three seconds", began=97.0)
    seconds = 101.9
    assert kept_pages.kept_answer("key", "1") == "read in three seconds"
    seconds = 102.0
    assert kept_pages.kept_answer("key", "1") is None


def test_names_in_pictures_take_the_room_they_take(site: Site) -> None:
    get(Client(), site, site.address)
    (page,) = kept_pages._pages.values()
    kept_pages.forget_pages()
    Player.objects.filter(pk=site.anna.pk).update(
        name="Anna 🎲"
    )  # four bytes a letter, for all of the page
    get(Client(), site, site.address)
    (wide,) = kept_pages._pages.values()
    assert wide.size > 1.9 * page.size


def test_what_is_invented_makes_no_page_of_its_own(site: Site) -> None:
    for address in addresses(site):
        get(Client(), site, address)
        number = len(kept_pages._pages)
        assert queries_of(Client(), site, f"{address}?from=1&x={'y' * 4000}") == 0
        answer = get(Client(), site, f"{address}?from=2", host="localhost")
        assert "from=2" not in answer.partition("<main")[2]
        assert len(kept_pages._pages) == number


def test_the_forms_of_a_page_that_is_there_already_work(site: Site) -> None:
    """A browser that has lost its cookies, or has signed out, has got other tokens meanwhile."""
    client = Client(enforce_csrf_checks=True)
    with clock.at(site.now):
        first = client.get(site.address)
        headers = {"If-None-Match": first["ETag"]}
        assert client.get(site.address, headers=headers).status_code == 304
        del client.cookies[settings.CSRF_COOKIE_NAME]
        again = client.get(site.address, headers=headers)
        assert again.status_code == 200
        assert again["ETag"] != first["ETag"]
        token = (
            again.content.decode().partition('csrfmiddlewaretoken" value="')[2].partition('"')[0]
        )
        given = {"language": "de", "csrfmiddlewaretoken": token}
        assert client.post("/i18n/setlang/", given).status_code == 302


def test_after_some_seconds_it_is_rendered_anew(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    get(Client(), site, site.address)
    Player.objects.filter(pk=site.anna.pk).update(name="Annabel")  # a name is in no version
    assert "Annabel" not in get(Client(), site, site.address)
    monkeypatch.setattr(settings, "PAGES_TRUSTED", 0.0)
    monkeypatch.setattr(settings, "PAGES_KEPT", 0.0)
    assert "Annabel" in get(Client(), site, site.address)


def test_whoever_has_a_page_already_is_told_so(site: Site, anna: Client) -> None:
    visitor = Client()
    for address in addresses(site):
        with clock.at(site.now):
            first = visitor.get(address)
            headers = {"If-None-Match": first["ETag"]}
            again = visitor.get(address, headers=headers)
            signed_in = anna.get(address, headers=headers)
            german = visitor.get(address, headers={**headers, "Accept-Language": "de"})
        assert (again.status_code, again.content) == (304, b""), address
        assert "private" in again["Cache-Control"]
        assert (signed_in.status_code, german.status_code) == (200, 200), address
        assert "ETag" not in signed_in


def test_what_is_to_be_said_once_is_said(site: Site, anna: Client) -> None:
    first = Client().get("/")
    anna.post("/accounts/logout/")
    farewell = anna.get("/", headers={"If-None-Match": first["ETag"]})
    assert farewell.status_code == 200
    assert "You have signed out" in farewell.content.decode()


@pytest.mark.usefixtures("compared")
@pytest.mark.parametrize(
    ("state", "link"),
    [("playing", "Report the result"), ("disputed", "See the dispute"), ("confirmed", "")],
)
def test_the_page_of_a_match_leads_its_players_to_what_they_can_do(
    site: Site, anna: Client, state: str, link: str
) -> None:
    (match,) = site.play(Played(12.0, 0, 1, 1.0))
    due_at = site.now if state == "playing" else None
    type(match).objects.filter(pk=match.pk).update(state=state, due_at=due_at)
    address = f"/matches/{match.pk}/"
    own = f'href="/play/matches/{match.pk}/"'
    assert (own in get(anna, site, address)) == bool(link)
    assert link in get(anna, site, address)
    assert own not in get(Client(), site, address).partition("<main")[2]


def test_parts_are_told_to_readers_of_screens(site: Site) -> None:
    told = '<p id="announcement" hx-swap-oob="innerHTML">'
    whole = get(Client(), site, site.address)
    assert whole.count('id="announcement"') == 1
    assert told not in whole
    for address in (f"{site.address}?everyone=1", f"/players/{site.anna.pk}/?before=99999999"):
        assert get(Client(), site, address, **HTMX).count(told) == 1, address


def test_another_frame_is_another_page(site: Site) -> None:
    """As after an update: what browsers have names files that are gone."""
    visitor = Client()
    first = visitor.get("/")["ETag"]
    assert visitor.get("/")["ETag"] == first
    with override_settings(DEMO=True):
        answer = visitor.get("/", headers={"If-None-Match": first})
    assert answer.status_code == 200
    assert answer["ETag"] != first


@pytest.mark.usefixtures("compared")
def test_a_page_whose_room_was_taken_while_it_was_compared_is_shown(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    get(Client(), site, site.address)
    asked = []

    def version_of(*shown: object) -> str:
        asked.append(shown)
        kept_pages._pages.clear()
        return page_parts.version_of(*shown)

    monkeypatch.setattr("foundation.kept_pages.version_of", version_of)
    assert site.anna.name in get(Client(), site, site.address)
    assert asked


def test_the_overview_follows_a_score_of_the_other_side(site: Site, anna: Client) -> None:
    newest = Match.objects.filter(participants__player=site.anna).latest("pk")
    Participant.objects.filter(match=newest).update(score=88.0)
    text = as_shown(get(anna, site, "/"))
    assert not re.search(r"\b98765\b", text)
    (again,) = re.findall(r'data-live-calm hx-get="(/overview/[^"]+)"', text)
    Participant.objects.filter(match=newest).exclude(player=site.anna).update(score=98765.0)
    assert re.search(r"\b98765\b", get(anna, site, again, **HTMX))
