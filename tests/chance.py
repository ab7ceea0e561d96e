"""What stands in a page by chance: tokens, names of versions, fractions of a second. Its digits tell nothing."""

import re

__all__ = ["without_chance"]

_CHANCE = re.compile(
    # Tokens against forgery and of sessions: pages have one in every form.
    r'(?:(?<=csrfmiddlewaretoken" value=")|(?<=X-CSRFToken": ")|(?<=X-CSRFToken":")'
    r"|(?<=csrftoken=)|(?<=sessionid=))\w+"
    # Names of versions and of files, in hexadecimal digits (a number has no letter).
    r"|\b(?=[0-9]*[a-f])[0-9a-f]{12,64}\b"
    # The microseconds of a moment.
    r"|(?<=\d\d:\d\d:\d\d)[.,]\d+"
)


def without_chance(text: str) -> str:
    """Leave out of a page, or of headers, what would be something else the next time."""
    return _CHANCE.sub("", text)
