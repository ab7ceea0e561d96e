"""What a notice says and where it leads, for whoever reads it now, in their language."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

import structlog
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _

from foundation.names import isolate
from notifications.kinds import NoticeKind, kind_named
from notifications.models import Notice
from ratings.models import Player

__all__ = ["SaidNotice", "hide_names_with", "said"]

log = structlog.get_logger(__name__)

# Of pairs of players, who reads and who is named, those in which the name is not to be read.
Hider = Callable[[Collection[tuple[int, int]]], Collection[tuple[int, int]]]
_hiders: list[Hider] = []


@dataclass(frozen=True, slots=True)
class SaidNotice:
    """A notice in words. `address`: the path of the page it leads to."""

    notice: Notice
    words: str
    address: str
    group: str

    @property
    def is_read(self) -> bool:
        """Whether it was read."""
        return self.notice.read_at is not None


def hide_names_with(hider: Hider) -> None:
    """Let an upper layer say whom somebody does not want to read of."""
    if hider not in _hiders:
        _hiders.append(hider)


def said(notices: Iterable[Notice]) -> list[SaidNotice]:
    """These notices in words; those of kinds that this release does not know are left out. One query for the names of
    all, and those of who hides some.
    """
    known = [(one, kind) for one in notices if (kind := kind_named(one.kind)) is not None]
    named = {
        (one.player_id, pk)
        for one, kind in known
        for name in kind.players
        if isinstance(pk := one.data.get(name), int)
    }
    hidden = {pair for hider in _hiders for pair in hider(named)} if named else set()
    rows = Player.objects.filter(pk__in={pk for _reader, pk in named})
    names = {pk: isolate(name) for pk, name in rows.values_list("pk", "name")} if named else {}
    return [_said(one, kind, names, hidden) for one, kind in known]


class _Facts(dict[str, object]):
    """Facts for words; one that is missing is left open, for a later release may have renamed it."""

    def __missing__(self, key: str) -> str:
        return "…"


def _said(
    notice: Notice, kind: NoticeKind, names: dict[int, str], hidden: Collection[tuple[int, int]]
) -> SaidNotice:
    facts = _Facts(notice.data)
    for name in kind.players:
        pk = notice.data.get(name)
        is_known = pk in names and (notice.player_id, pk) not in hidden
        facts[name] = names[pk] if is_known else _("A player")
    try:
        address = kind.leads_to(notice.data)
    except (KeyError, NoReverseMatch):
        log.warning("notice.leads_nowhere", kind=notice.kind, notice=notice.pk)
        address = reverse("notifications")
    return SaidNotice(notice, str(kind.words) % facts, address, kind.group.value)
