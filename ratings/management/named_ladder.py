"""The ladder that a command is about."""

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from ratings.models import Ladder

__all__ = ["named_ladder"]


def named_ladder(slug: str) -> Ladder:
    """The ladder of this short name. Raises CommandError."""
    ladder = Ladder.objects.filter(slug=slug).first()
    if ladder is None:
        raise CommandError(_("There is no ladder “%s”.") % slug)
    return ladder
