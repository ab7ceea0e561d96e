"""What a caller takes: the header `Accept`, as far as it can be missed."""

from collections.abc import Sequence

__all__ = ["accepts"]


def accepts(header: str, types: Sequence[str]) -> bool:
    """Whether one of the media types is taken. An empty header takes all; parameters but `q` are passed over."""
    ranges = [_read(part) for part in header.split(",") if part.strip()]
    if not ranges:
        return True
    return any(_quality(ranges, media_type) > 0 for media_type in types)


def _read(part: str) -> tuple[str, float]:
    """A range and its quality; what is no number counts as 1."""
    media_range, *parameters = (word.strip().lower() for word in part.split(";"))
    qualities = [word.partition("=")[2] for word in parameters if word.startswith("q=")]
    try:
        return media_range, float(qualities[0]) if qualities else 1.0
    except ValueError:
        return media_range, 1.0


def _quality(ranges: Sequence[tuple[str, float]], media_type: str) -> float:
    """By the narrowest range that fits."""
    main = media_type.partition("/")[0]
    for wanted in (media_type, f"{main}/*", "*/*"):
        if found := [quality for media_range, quality in ranges if media_range == wanted]:
            return max(found)
    return 0.0
