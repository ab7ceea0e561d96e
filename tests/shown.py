"""Pages as a browser shows them."""

import re

__all__ = ["as_shown"]

BLOCKS = (
    "article|aside|body|button|caption|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|head|header|"
    "html|legend|li|link|main|meta|nav|ol|option|p|script|section|select|summary|svg|table|tbody|td|tfoot|th|thead|"
    "title|tr|ul"
)
BESIDE = re.compile(rf" ?(</?(?:{BLOCKS})\b[^>]*>) ?")


def as_shown(page: str) -> str:
    """The page with one space where there are several, and none beside blocks and at the end of a tag.

    What is left between words, and between links and badges of a line, is what is read."""
    return BESIDE.sub(r"\1", re.sub(r" (?=/?>)", "", re.sub(r"\s+", " ", page)))
