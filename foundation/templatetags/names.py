"""Names of players on pages: each by itself, whatever its direction of writing, and marked where it looks like another.

These filters are there in every template.
"""

from collections.abc import Iterable
from typing import Protocol

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from foundation.names import DELETED_PLAYER, isolate

register = template.Library()


class Named(Protocol):
    """A player, or a row that tells of one."""

    @property
    def pk(self) -> int: ...

    @property
    def name(self) -> str: ...

    @property
    def looks_alike(self) -> bool: ...

    @property
    def clan_tag(self) -> str: ...


@register.filter
def shown_name(name: object) -> str:
    """A name; that of somebody who was deleted in the reader's language, as it is words."""
    text = str(name)
    if (
        text.startswith(DELETED_PLAYER)
        and (number := text.removeprefix(DELETED_PLAYER)).isdecimal()
    ):
        return _("Deleted player %(number)s") % {"number": number}
    return text


@register.filter
def isolated(name: object) -> SafeString:
    """A name that cannot reorder the text around it."""
    return format_html("<bdi>{}</bdi>", shown_name(name))


@register.filter
def isolated_text(name: object) -> str:
    """The same where there is no markup, as in notices and mails."""
    return isolate(shown_name(name))


@register.filter
def called(player: Named) -> SafeString:
    """The player's name behind the tag of its clan; with the player's number where another of the game has a name that
    looks so.
    """
    shown = isolated(player.name)
    if player.clan_tag:
        tagged = '<span class="clan-tag">[<bdi>{}</bdi>]</span> {}'
        shown = format_html(tagged, player.clan_tag, shown)
    if not player.looks_alike:
        return shown
    why = _(
        "Another player of this game has a name that looks like this one. This is player %(number)s."
    )
    mark = '{} <small class="look-alike" title="{}">#{}</small>'
    return format_html(mark, shown, why % {"number": player.pk}, player.pk)


@register.simple_tag
def supplied(name: object) -> SafeString:
    """A partner that the game has supplied, by its name, and marked as that."""
    mark = '{} <span class="badge badge-plain">{}</span>'
    return format_html(mark, isolated(name), _("supplied by the game"))


@register.filter
def all_called(players: Iterable[Named]) -> SafeString:
    """The names of several players."""
    return format_html_join(", ", "{}", ((called(player),) for player in players))
