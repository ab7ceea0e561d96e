"""Which pages a search engine is told of: public ones only, in files of bounded length.

Players are told of in blocks of their numbers, so that each file is one short read however many players there are;
those who stand on no public leaderboard are left out.
"""

from collections.abc import Iterable
from xml.sax.saxutils import escape

from django.urls import reverse

from accounts.texts.current import site_texts
from leaderboards.models import Standing
from leaderboards.visibility import public_ladders
from ratings.models import Player

__all__ = ["BLOCK", "index_of", "pages_of_block", "pages_of_site", "player_blocks", "urls_of"]

BLOCK = 10_000
# More files than these an index may not name.
_MOST_FILES = 50_000
_SCHEMA = "http://www.sitemaps.org/schemas/sitemap/0.9"


def player_blocks() -> list[int]:
    """The blocks of players between the first and the last who stand on a public leaderboard."""
    listed = Standing.objects.public().filter(listed=True).values_list("player_id", flat=True)
    ends = [listed.order_by(order).first() for order in ("player_id", "-player_id")]
    first, last = (None if end is None else end // BLOCK for end in ends)
    if first is None or last is None:
        return []
    return list(range(first, last + 1))[: _MOST_FILES - 1]


def pages_of_site() -> list[str]:
    """Addresses of games, ladders and the site's own pages, without the host."""
    ladders = list(public_ladders())
    games = {ladder.game_id: ladder.game for ladder in ladders}.values()
    paths = [game.get_absolute_url() for game in games]
    own = [reverse(f"site-{kind}") for kind, _ in site_texts().pages]
    return ["/", *paths, *(ladder.get_absolute_url() for ladder in ladders), *own]


def pages_of_block(number: int) -> list[str]:
    """Addresses of the listed players of a block, without the host. One query."""
    first = number * BLOCK
    listed = Standing.objects.public().filter(
        listed=True, player_id__gte=first, player_id__lt=first + BLOCK
    )
    ids = listed.order_by("player_id").values_list("player_id", flat=True).distinct()
    return [Player(pk=pk).get_absolute_url() for pk in ids]


def index_of(addresses: Iterable[str]) -> str:
    """A sitemap that names other sitemaps."""
    return _document("sitemapindex", "sitemap", addresses)


def urls_of(addresses: Iterable[str]) -> str:
    """A sitemap that names pages."""
    return _document("urlset", "url", addresses)


def _document(name: str, entry: str, addresses: Iterable[str]) -> str:
    entries = "".join(f"<{entry}><loc>{escape(address)}</loc></{entry}>\n" for address in addresses)
    head = '<?xml version="1.0" encoding="UTF-8"?>'
    return f'{head}\n<{name} xmlns="{_SCHEMA}">\n{entries}</{name}>\n'
