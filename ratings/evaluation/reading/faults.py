"""What is wrong with a file, and in which line."""

__all__ = ["FileError", "shorten"]

_SHOWN = 60


class FileError(ValueError):
    """A line cannot be read. `template % words` says what would be right, for a translator."""

    def __init__(self, line: int, template: str, **words: str | int) -> None:
        self.line, self.template, self.words = line, template, words
        super().__init__(f"line {line}: {template % words if words else template}")


def shorten(value: object) -> str:
    """Quote a value for a message, cut where it would fill the screen."""
    text = value if isinstance(value, str) else str(value)
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")
