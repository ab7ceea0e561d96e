"""What pages of rooms say of maps."""

from django import template
from django.utils.translation import ngettext

from rooms.seen import RoomSeen

register = template.Library()


@register.filter
def votes_for(seen: RoomSeen, name: str) -> str:
    """How many want a map, in words."""
    number = seen.votes(name)
    return ngettext("%(number)d vote", "%(number)d votes", number) % {"number": number}
