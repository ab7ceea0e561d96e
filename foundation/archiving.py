"""What operators take out of use without deleting it: a column that says since when, for any model."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

__all__ = ["Archivable", "in_use"]


class Archivable(models.Model):
    """A thing that can be archived: it is shown and used no longer, and its history stays. Who did it and why is in the
    audit log.
    """

    archived_at = models.DateTimeField(
        _("archived"),
        null=True,
        editable=False,
        help_text=_("Since when it is neither shown nor used. Empty: it is."),
    )

    class Meta:
        abstract = True


def in_use(*paths: str) -> Q:
    """That none of the things at the end of these paths is archived: "" is the row itself, "ladder__" its ladder."""
    return Q(**{f"{path}archived_at__isnull": True for path in paths})
