"""Moments as commands are told them."""

import argparse
from datetime import datetime

from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

__all__ = ["read_moment"]


def read_moment(text: str) -> datetime:
    """A moment with its zone: the `type` of an argument. Raises ArgumentTypeError naming what it is not."""
    try:
        found = parse_datetime(text)
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        words = _("“%s” is no time with its zone: give one such as 2026-03-01T20:15:00Z")
        raise argparse.ArgumentTypeError(words % text)
    return found
