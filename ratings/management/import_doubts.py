"""What `import_matches` says before it imports: what a file would do, and whether the ladder is the right one."""

import sys
from collections.abc import Iterator
from typing import TextIO

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ratings.importing import Familiarity, Foreseen, NewLadder, OptionError
from ratings.management.progress_bar import without_progress

__all__ = ["ask_about", "facts_of", "remarks_on"]


def ask_about(familiarity: Familiarity, *, may_ask: bool, out: TextIO) -> bool:
    """Ask on the terminal whether the ladder is the right one. Raises OptionError where nobody can be asked."""
    doubt = _doubt(familiarity)
    if not (may_ask and sys.stdin.isatty()):
        way_on = _("Nothing was changed. If it is, say so with --yes.")
        raise OptionError(f"{doubt} {way_on}")
    question = _("Type “yes” to import:")
    with without_progress():
        out.write(f"{doubt} {question} ")
        out.flush()
        return sys.stdin.readline().strip().lower() in {"yes", _("yes")}


def facts_of(foreseen: Foreseen, slug: str, new: NewLadder | None) -> Iterator[tuple[str, str]]:
    """What a file would do: names and values of a table."""
    ladder, game = foreseen.ladder, foreseen.game
    mode = ladder.get_mode_display() if ladder else str((new or NewLadder()).mode.label)
    would_be = _("%s (would be made)")
    made_game = new.game if new else ""
    yield _("Game"), game.name if game else would_be % made_game
    yield _("Ladder"), f"{ladder.name} ({slug})" if ladder else would_be % slug
    yield _("Mode"), mode
    yield _("Rows"), f"{foreseen.rows:,}"
    yield _("New matches"), f"{foreseen.new_matches:,}"
    yield _("Known matches"), f"{foreseen.rows - foreseen.new_matches:,}"
    yield _("New players"), f"{foreseen.new_players:,}"
    if foreseen.first is not None and foreseen.last is not None:
        yield _("Played from"), f"{foreseen.first:%Y-%m-%d %H:%M} UTC"
        yield _("Played to"), f"{foreseen.last:%Y-%m-%d %H:%M} UTC"


def remarks_on(foreseen: Foreseen) -> Iterator[str]:
    """What is worth a sentence: a known file, names that look alike, and whose names these are."""
    if foreseen.known_file:
        yield _("This exact file was already imported: nothing to add.")
    if foreseen.backwards:
        text = ngettext(
            "%(count)d row is dated before the row above it. The order of the file was kept.",
            "%(count)d rows are dated before the row above them. The order of the file was kept.",
            foreseen.backwards,
        )
        yield text % {"count": foreseen.backwards}
    familiarity = foreseen.familiarity
    yield _doubt(familiarity) if familiarity.is_doubtful else _shares(familiarity)
    alike = foreseen.look_alikes
    if alike.count:
        text = ngettext(
            "%(count)d name would be new and looks like another:",
            "%(count)d names would be new and look like others:",
            alike.count,
        )
        yield text % {"count": alike.count}
        for name, others in alike.shown:
            yield f"  {name}: {', '.join(others)}"
        if alike.count > len(alike.shown):
            yield _("  and %d more") % (alike.count - len(alike.shown))
    yield _("Nothing was changed: this was a dry run.")


def _shares(familiarity: Familiarity) -> str:
    words: dict[str, object] = {"names": familiarity.names, "here": familiarity.here}
    if familiarity.best is None:
        return _("Of %(names)d names %(here)d have played in this ladder, none in another.") % words
    words |= {"elsewhere": familiarity.elsewhere, "ladder": familiarity.best.slug}
    text = _(
        "Of %(names)d names %(here)d have played in this ladder, %(elsewhere)d in ladder %(ladder)s."
    )
    return text % words


def _doubt(familiarity: Familiarity) -> str:
    question = _("Is this the right ladder?")
    return f"{_shares(familiarity)} {question}"
