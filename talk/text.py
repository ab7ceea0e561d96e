"""Lines as they can be shown: plain text in one line, without what cannot be seen or reorders what stands around it."""

from foundation.names import clean_name
from foundation.names.clean import NAMELESS
from talk.models import LONGEST_LINE
from talk.refusals import EmptyLineError, LineTooLongError

__all__ = ["clean_line"]


def clean_line(text: str) -> str:
    """What is kept of a line: composed, with single spaces, without signs of control, direction and no width.

    Markup is text like any other, and shown as it was typed. Raises EmptyLineError and LineTooLongError.
    """
    if len(text) > 10 * LONGEST_LINE:  # nothing that is cleaned away makes up for so much
        raise LineTooLongError(len(text))
    line = clean_name(text)
    if line == NAMELESS and NAMELESS not in text:
        raise EmptyLineError
    if len(line) > LONGEST_LINE:
        raise LineTooLongError(len(line))
    return line
