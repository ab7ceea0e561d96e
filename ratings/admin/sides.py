"""What sides are worth, as operators read it."""

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from foundation.templatetags.display import signed
from ratings.models import RatingTrack, SideEstimate
from ratings.wording import say

__all__ = ["sides_in_words"]

SHOWN = 30


def sides_in_words(track: RatingTrack) -> SafeString:
    """The worth of the first team's side over all maps, and on those played most; one query."""
    rows = list(SideEstimate.objects.filter(track=track).order_by("-games", "map"))
    overall = next((row for row in rows if not row.map), None)
    if overall is None:
        return format_html("{}", _("Not estimated yet."))
    as_of = date_format(timezone.localtime(overall.as_of), "DATETIME_FORMAT")
    first = _("%(side)s, as of %(date)s UTC") % {"side": _in_words(track, overall), "date": as_of}
    maps = [(row.map, _in_words(track, row)) for row in rows if row.map][:SHOWN]
    if not maps:
        return format_html("{}", first)
    return format_html("{}<ul>{}</ul>", first, format_html_join("", "<li>{}: {}</li>", maps))


def _in_words(track: RatingTrack, row: SideEstimate) -> str:
    words = {"points": signed(row.points, track.decimals + 1), "games": say(row.games)}
    return _("%(points)s points for the first team (%(games)s matches)") % words
