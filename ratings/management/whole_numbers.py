"""Whole numbers as a command line gives them."""

import argparse
from collections.abc import Callable

from django.utils.translation import gettext as _

__all__ = ["whole_number"]


def whole_number(option: str, least: int, most: int) -> Callable[[str], int]:
    """What reads the number of an option, from `least` to `most`; any other is refused with a sentence."""

    def read(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= most:
            words = _("%(option)s %(text)r: must be a whole number from %(least)d to %(most)d")
            raise argparse.ArgumentTypeError(
                words % {"option": option, "text": text, "least": least, "most": most}
            )
        return int(text)

    return read
