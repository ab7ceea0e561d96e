"""Writing a new version of a text: whole, audited, and never over one that its writer has not seen."""

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.models import User
from accounts.texts.current import forget
from accounts.texts.models import SiteText
from foundation.postgresql.transactions import after_commit
from foundation.refusals import RefusedError

__all__ = ["ChangedMeanwhileError", "all_newest", "newest", "write"]


class ChangedMeanwhileError(RefusedError):
    """Somebody else has saved a version that whoever saves has not seen."""

    code = "changed_meanwhile"

    def __init__(self) -> None:
        super().__init__(
            _(
                "Somebody else saved this text after you opened it. Nothing was saved; look at theirs first."
            )
        )


def newest(kind: str, language: str) -> SiteText | None:
    """The version that holds; an empty one says that there is none any more."""
    versions = SiteText.objects.filter(kind=kind, language=language)
    return versions.select_related("written_by").order_by("-version").first()


def all_newest() -> dict[tuple[str, str], SiteText]:
    """Those of every kind and language, by both. One query."""
    versions = SiteText.objects.order_by("kind", "language", "-version")
    found = versions.distinct("kind", "language").select_related("written_by")
    return {(text.kind, text.language): text for text in found}


def write(
    *,
    kind: SiteText.Kind,
    language: str,
    text: str,
    by: User | None,
    seen: int,
    asks_again: bool = False,
    note: str = "",
) -> SiteText:
    """Save a text as a new version; an empty one takes the page down. `seen`: the version it was made from, 0 for none.

    Raises ChangedMeanwhileError.
    """
    text = text.replace("\r\n", "\n").strip()
    try:
        return _write(kind, language, text, by, seen, asks_again, note)
    except IntegrityError:  # another one at the same moment, which is to be seen now
        return _write(kind, language, text, by, seen, asks_again, note)


@transaction.atomic
def _write(
    kind: SiteText.Kind,
    language: str,
    text: str,
    by: User | None,
    seen: int,
    asks_again: bool,
    note: str,
) -> SiteText:
    before = newest(kind, language)
    if (before.version if before else 0) != seen:
        raise ChangedMeanwhileError
    last = SiteText.objects.filter(kind=kind).aggregate(last=Max("version"))["last"] or 0
    row = SiteText.objects.create(
        kind=kind,
        language=language,
        version=last + 1,
        text=text,
        asks_again=asks_again,
        written_by=by,
    )
    # The words are in the row, which nobody can change; the log says which one it is.
    audit.record(
        actor=by,
        action="sitetext.written",
        target=row,
        before={"version": before.version} if before else None,
        after={
            "kind": kind.value,
            "language": language,
            "version": row.version,
            "asks_again": asks_again,
            "characters": len(text),
        },
        note=note,
    )
    after_commit(forget)
    return row
