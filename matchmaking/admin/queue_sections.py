"""The form of a queue in parts: each a heading, a sentence, and its fields."""

from typing import Any

from django.utils.translation import gettext as _

from matchmaking.admin.queue_form import sections_for
from matchmaking.admin.section_fields import SENTENCES, TITLES, changes_of, names_in
from matchmaking.admin.widening import NAMES
from matchmaking.models import Queue
from matchmaking.pairing.settings import Settings
from matchmaking.queues import settings

__all__ = ["fieldsets_of", "settings_of"]

Fieldsets = list[tuple[str | None, dict[str, Any]]]


def fieldsets_of(queue: Queue | None, *, may_change: bool) -> Fieldsets:
    """Parts of the page of a queue, or of a new one. Who may only look sees what differs from the defaults."""
    changed = {section for section, _label, _value in changes_of(settings_of(queue))}
    sections = sections_for(queue.ladder if queue else None) if may_change else []
    return [
        (None, {"fields": ["ladder", "name", "slug", "is_open"]}),
        (_("How matches are found"), {"fields": ["strategy"]}),
        _who_meets_whom(is_new=queue is None),
        *(_section(name, is_open=name in changed or name == "exchange") for name in sections),
        _offers(),
        (_("This change"), {"fields": ["note"]})
        if may_change
        else (_("Settings"), {"fields": ["settings_in_words"]}),
    ]


def settings_of(queue: Queue | None) -> Settings:
    """The settings of a queue; the defaults for none."""
    return Settings() if queue is None else settings.settings_of(queue)


def _who_meets_whom(*, is_new: bool) -> tuple[str, dict[str, Any]]:
    sentence = _(
        "Two players meet when the gap between their ratings is within what each of them accepts. "
        "Narrow gaps make even matches and long waits."
    )
    if is_new:
        fits = _(
            "Settings that you leave unchanged will suit the ladder: the scale of its"
            " ratings, and its teams."
        )
        sentence = f"{sentence} {fits}"
    return _("Who meets whom"), {
        "fields": list(NAMES),
        "description": sentence,
        "classes": ["section-gap"],
    }


def _section(name: str, *, is_open: bool) -> tuple[str, dict[str, Any]]:
    """Folded while all of it is as by default."""
    classes = ["section", f"section-{name}", *([] if is_open else ["collapse"])]
    return str(TITLES[name]), {
        "fields": names_in(name),
        "description": SENTENCES[name],
        "classes": classes,
    }


def _offers() -> tuple[str, dict[str, Any]]:
    names = ["accept_seconds", "accepts_by_itself", "heartbeat_seconds"]
    return _("Offers and signs of life"), {"fields": names}
