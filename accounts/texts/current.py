"""What holds now, known to each process for some seconds: every page of the site has a footer, and none asks for it.

A text that is saved is on every page within `TRUSTED` seconds, and at once in the process that has saved it.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

import structlog
from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.db.models import Max, Subquery
from django.db.models.functions import Left
from django.utils.translation import get_language

from accounts.texts.models import LONGEST_NAME, SiteText

__all__ = [
    "PAGES",
    "SOFTWARE",
    "SiteTexts",
    "forget",
    "known_name",
    "remember",
    "site_texts",
]

log = structlog.get_logger(__name__)

SOFTWARE = "Evenmatch"  # what a site is called that has no name
TRUSTED = 5.0  # seconds
_NAME = SiteText.Kind.NAME
PAGES = (SiteText.Kind.IMPRINT, SiteText.Kind.PRIVACY, SiteText.Kind.RULES)


@dataclass(frozen=True, slots=True)
class SiteTexts:
    """The newest text of each kind, where one is written.

    names      the site's name, by language
    rows       the row of each page, by kind and language
    version    the newest version of the rules, 0 where there is none
    asks_from  the rules that everybody must have accepted, to search or to join: this version or a later one; 0: none
    """

    names: Mapping[str, str] = field(default_factory=dict)
    rows: Mapping[tuple[str, str], int] = field(default_factory=dict)
    version: int = 0
    asks_from: int = 0

    def name(self) -> str:
        """The name of the site, in the language of whoever reads if there is one."""
        found = (self.names.get(code) for code in _languages())
        return next((name for name in found if name), SOFTWARE)

    def row_of(self, kind: str) -> int | None:
        """The text of a page, in the language of whoever reads or else in another; None while none is written."""
        found = (self.rows.get((kind, code)) for code in _languages())
        return next((row for row in found if row), None)

    @property
    def pages(self) -> list[tuple[str, str]]:
        """Kind and title of the pages there are, in the order of footers."""
        return [(kind.value, str(kind.label)) for kind in PAGES if self.row_of(kind)]

    @property
    def has_rules(self) -> bool:
        """Whether there are rules to accept."""
        return self.row_of(SiteText.Kind.RULES) is not None


class _Known:
    """What was read last, and until when, by the clock of the process, nobody reads anew."""

    texts = SiteTexts()
    until = 0.0


_known = _Known()


def site_texts() -> SiteTexts:
    """What holds now. A query every `TRUSTED` seconds; without a database what was known last."""
    if time.monotonic() < _known.until:
        return _known.texts
    try:
        texts = _read()
    except (OperationalError, InterfaceError) as error:
        log.warning("site_texts.unread", error=str(error))
        texts = _known.texts
    remember(texts, for_seconds=TRUSTED)
    return texts


def known_name() -> str:
    """The name of the site as far as it is known without asking: for pages that must do without a database."""
    return _known.texts.name()


def remember(texts: SiteTexts, *, for_seconds: float) -> None:
    """Take these as what holds, for so long."""
    _known.until, _known.texts = time.monotonic() + for_seconds, texts


def forget() -> None:
    """Ask anew the next time."""
    _known.until = 0.0


def _languages() -> list[str]:
    """The language of whoever reads, then the others."""
    own = (get_language() or settings.LANGUAGE_CODE).partition("-")[0]
    return [own, *(code for code, _ in settings.LANGUAGES if code != own)]


def _read() -> SiteTexts:
    """One query."""
    rules = SiteText.objects.filter(kind=SiteText.Kind.RULES, asks_again=True).order_by()
    newest = SiteText.objects.order_by("kind", "language", "-version").distinct("kind", "language")
    # Of pages it is enough to know that they are written: their text is read when they are shown.
    found = list(
        newest.values_list(
            "kind",
            "language",
            "pk",
            "version",
            Left("text", LONGEST_NAME),
            Subquery(rules.values("kind").annotate(last=Max("version")).values("last")),
        )
    )
    pages = {(kind, code): pk for kind, code, pk, _, text, _ in found if text and kind != _NAME}
    rules_versions = [version for kind, _, _, version, _, _ in found if kind == SiteText.Kind.RULES]
    has_rules = any(kind == SiteText.Kind.RULES for kind, _ in pages)
    return SiteTexts(
        names={code: text for kind, code, _, _, text, _ in found if text and kind == _NAME},
        rows=pages,
        version=max(rules_versions, default=0),
        asks_from=(found[0][5] or 0) if has_rules else 0,
    )
