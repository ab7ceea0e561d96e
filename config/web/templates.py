"""Templates, read when a process starts: an upgrade puts those of the next release in their place while it runs."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from django.template import Engine, TemplateDoesNotExist, TemplateSyntaxError

__all__ = ["load_templates"]


def load_templates(engine: Engine | None = None) -> None:
    """Have an engine, or the site's, keep all templates of the project as they are now."""
    engine = engine or Engine.get_default()
    for name in _names(engine):
        # Whoever asks for the page is told what is wrong with one; all others work.
        with suppress(TemplateDoesNotExist, TemplateSyntaxError):
            engine.get_template(name)


def _names(engine: Engine) -> Iterator[str]:
    for folder in map(Path, engine.dirs):
        for path in folder.rglob("*"):
            if path.suffix in {".html", ".txt", ".xml"}:
                yield path.relative_to(folder).as_posix()
