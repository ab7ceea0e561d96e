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
    # Secrets of keys and tokens, names of matches, codes of parties.
    r"|\bem_(?:srv|ply)_\w+|\bm-[\w-]{20}|\b(?=[0-9]*[A-Z])[0-9A-Z]{10}\b"
    # Headers: how long an answer is hangs on the keys of rows in it, what is left of a limit on the requests before.
    r"|^(?:Content-Length|Expires|RateLimit-\w+): .*$|(?<=expires=)[^;\n]+|(?<=messages=)[^;\n]+"
    # What a process measures and counts of itself and of requests.
    r"|^(?:process_|python_|evenmatch_request|evenmatch_\w+_seconds_).*$",
    re.MULTILINE,
)


def without_chance(text: str) -> str:
    """Leave out of a page, or of headers, what would be something else the next time."""
    return _CHANCE.sub("", text)
