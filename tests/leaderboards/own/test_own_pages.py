"""The start page, lists and cards as somebody who plays sees them."""

import re
from datetime import UTC, datetime

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import User
from foundation import clock
from foundation.kept_pages import forget_pages
from foundation.templatetags.display import timed
from leaderboards.own import standings_of
from leaderboards.templatetags.leaderboards import decimals_of_product, decimals_of_sum
from matchmaking.models import Queue
from matchmaking.queues.settings import unreadable
from ratings.models import Match, MatchState, Mode
from tests.leaderboards.site import Site, make_site
from tests.worlds import shared


@shared
def site() -> Site:
    return make_site()


@shared
def anna(site: Site) -> Client:
    """Signed in, and number one."""
    site.anna.user = User.objects.create_user("anna-account")
    site.anna.save()
    client = Client()
    client.force_login(site.anna.user)
    return client


def text_of(client: Client, site: Site, address: str) -> str:
    with clock.at(site.now):
        answer = client.get(address)
    assert answer.status_code == 200, answer.content.decode()[:300]
    return str(answer.content.decode())


@pytest.mark.django_db
def test_home_begins_with_ones_own_things(site: Site, anna: Client) -> None:
    text = text_of(anna, site, "/")
    assert text.index("Hello, anna-account") < text.index('id="games"')
    own = text[text.index("home-own-cards") : text.index('id="games"')]
    assert re.search(r"rank 1\s+of 4", own) or "rank 1 of 4" in own
    assert f'href="/players/{site.anna.pk}/?ladder=' in own
    assert 'class="hero"' not in text
    visitor = text_of(Client(), site, "/")
    assert 'class="hero"' in visitor
    assert "Hello" not in visitor


@pytest.mark.django_db
def test_ones_own_things_are_rendered_once_for_each_reader_and_language(
    site: Site, anna: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "PAGES_KEPT", 1000.0)
    forget_pages()
    other = site.arena.players[1]
    other.user = User.objects.create_user("other-account")
    other.save()
    theirs = Client()
    theirs.force_login(other.user)

    def look(client: Client, language: str) -> tuple[str, bool]:
        with clock.at(site.now):
            answer = client.get("/", headers={"accept-language": language})
        text = answer.content.decode()
        is_rendered = "home/_own_standings.html" in {it.name for it in answer.templates}
        return text[text.index("own-heading") : text.index('id="games"')], is_rendered

    english, is_rendered = look(anna, "en")
    assert is_rendered
    assert look(anna, "en") == (english, False)
    german, is_rendered = look(anna, "de")
    assert is_rendered
    assert "Meine Wertungen" in german
    of_other, is_rendered = look(theirs, "en")
    assert is_rendered
    assert f"/players/{other.pk}/?ladder=" in of_other
    assert look(anna, "en") == (english, False)
    Match.objects.filter(participants__player=site.anna).update(state=MatchState.ANNULLED)
    changed, is_rendered = look(anna, "en")
    assert is_rendered
    assert changed != english
    forget_pages()


@pytest.mark.django_db
def test_the_menu_and_the_header_lead_to_ones_own_pages(site: Site, anna: Client) -> None:
    text = text_of(anna, site, site.address)
    header = text[text.index("<header") : text.index("</header>")]
    assert header.count(f'href="/players/{site.anna.pk}/"') == 2
    assert 'href="/play/#mine"' in header
    assert "/players/" not in text_of(Client(), site, "/search/").split("</header>")[0]


@pytest.mark.django_db
def test_one_is_marked_in_lists_and_in_ones_own_matches(site: Site, anna: Client) -> None:
    for address in (
        "/",
        f"/matches/{site.matches[0].pk}/",
        f"/players/{site.arena.players[1].pk}/",
    ):
        link = rf'href="/players/{site.anna.pk}/"[^>]*><bdi>Anna</bdi></a>'
        mark = rf'{link}(<[^>]*>)*\s*<span class="badge badge-new">you'
        assert re.search(mark, text_of(anna, site, address)), address
        assert "badge-new" not in text_of(Client(), site, address)


@pytest.mark.django_db
def test_queue_cards_say_who_meets_whom_and_where_one_stands(site: Site, anna: Client) -> None:
    ladder = site.arena.ladder
    queue = Queue.objects.create(
        ladder=ladder,
        slug="go-duel",
        name="Go duel",
        settings={"maps": {"names": "River\nHill"}},
    )
    assert unreadable(queue) == []
    for address in ("/play/", f"/play/in/{queue.slug}/"):
        text = text_of(anna, site, address)
        assert "1 v 1" in text, address
        assert "Maps: River, Hill" in text, address
        assert "rank 1 of 4" in re.sub(r"\s+", " ", text), address
    ladder.team_count = 4
    ladder.save()
    assert "Four, free for all" in text_of(Client(), site, "/play/")


@pytest.mark.django_db
@pytest.mark.parametrize("days", [None, 7.0])
def test_without_a_rating_one_reads_when_the_first_comes(days: float | None) -> None:
    site = make_site(system="elo" if days is None else "glicko", days=days, rated=False)
    site.anna.user = User.objects.create_user("anna-account")
    site.anna.save()
    client = Client()
    client.force_login(site.anna.user)

    def own() -> str:
        text = re.sub(r"\s+", " ", text_of(client, site, "/"))
        return text[text.index("home-own-cards") : text.index("own-matches-heading")]

    when = "as soon as its turn comes" if days is None else "when the rating period in which"
    assert f"Not rated yet: This match is rated {when}" in own()
    site.rate(day=17.4)
    assert "This match is rated" not in own()


@pytest.mark.django_db
def test_hidden_standings_are_told_nobody(site: Site, anna: Client) -> None:
    assert len(standings_of([site.anna.pk], site.now)) == 1
    site.arena.ladder.mode = Mode.NORMAL
    site.arena.ladder.save()
    assert standings_of([site.anna.pk], site.now) == []


@pytest.mark.django_db
def test_a_card_says_which_games_count() -> None:
    site = make_site(established_after=30)
    text = re.sub(r"\s+", " ", site.text(f"/players/{site.anna.pk}/"))
    assert "6 of 30 counted games until established" in text
    assert (
        "Until 100 players of this ladder have an established rating, every rated game counts."
        in text
    )
    site.track.pool_grown_from = 1  # from then on only games against the established do
    site.track.save()
    text = re.sub(r"\s+", " ", site.text(f"/players/{site.anna.pk}/"))
    assert "every rated game counts" not in text
    assert "A game counts if the opponent's rating is established." in text


def test_a_time_is_told_in_utc_and_may_be_turned() -> None:
    evening = datetime(2026, 7, 19, 18, 30, tzinfo=UTC)
    midnight = evening.replace(hour=0, minute=0)
    attribute = 'datetime="2026-07-19T18:30:00+00:00"'
    assert timed(evening) == f'<time {attribute} data-local="moment">19 Jul 2026, 18:30 UTC</time>'
    assert timed(evening, "known") == timed(evening)
    assert timed(evening, "day") == f'<time {attribute} data-local="day">19 Jul 2026</time>'
    for shape in ("known", "day"):  # a date without a time is the same day everywhere
        assert "data-local" not in timed(midnight, shape)


@pytest.mark.django_db
def test_lists_say_the_time_beside_the_date(site: Site) -> None:
    for address in ("/", f"/players/{site.anna.pk}/"):
        assert re.search(r'data-local="moment">\d+ \w+ \d{4}, \d\d:\d\d UTC', site.text(address))


@pytest.mark.parametrize(
    ("figures", "more"),
    [
        ((24.0, 1.0, 0.64, 8.64), 0),  # 24 × 0.36 = 8.64
        ((24.0, 1.0, 0.6449, 8.5224), 1),  # 24 × 0.36 = 8.6, not the 8.5 that is shown
        ((400.0, 1.0, 0.64487, 142.052), 2),
        ((27.923, 1 / 3, 0.2776, 1.5562), 2),  # 27.92 × (0.333 − 0.278) = 1.5
    ],
)
def test_a_formula_comes_to_the_change_that_is_shown(
    figures: tuple[float, float, float, float], more: int
) -> None:
    assert decimals_of_product(*figures, decimals=1) == more


def test_a_column_adds_up_to_its_total() -> None:
    assert decimals_of_sum([1.114, 1.114], 2.228) == 3  # 1.11 + 1.11 is not 2.23
    assert decimals_of_sum([1.11, 1.12], 2.23) == 2
    assert decimals_of_sum([], 0.0) == 2


@pytest.mark.parametrize("address", ["/play/", "/search/?q=anna", "/matches/mine/"])
def test_they_stay_out_of_caches(anna: Client, address: str) -> None:
    assert {"private", "no-cache"} <= set(re.split(", *", anna.get(address)["Cache-Control"]))


def test_what_must_not_be_kept_at_all_says_so_itself(anna: Client) -> None:
    assert (
        "no-store" in anna.get("/live/", headers={"accept": "text/event-stream"})["Cache-Control"]
    )
    assert "Cache-Control" not in Client().get("/search/?q=anna")
