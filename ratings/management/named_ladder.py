"""The ladder that a command is about."""

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from ratings.models import Ladder

__all__ = ["ladder_in_use", "named_ladder"]


def named_ladder(slug: str) -> Ladder:
    """The ladder of this short name. Raises CommandError."""
    ladder = Ladder.objects.filter(slug=slug).first()
    if ladder is None:
        raise CommandError(_("There is no ladder “%s”.") % slug)
    return ladder


def ladder_in_use(slug: str) -> Ladder:
    """The same, for what begins something new in it. Raises CommandError also where it, or its game, is archived."""
    ladder = named_ladder(slug)
    if ladder.archived_at is not None:
        raise CommandError(_("ladder %r: is archived; restore it first, or name another") % slug)
    if ladder.is_archived:
        words = _("game %r: is archived; restore it first, or name another")
        raise CommandError(words % ladder.game.slug)
    return ladder
