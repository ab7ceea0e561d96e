"""The kinds of notices: what each says, where it leads, and by which ways it is told unless a player chooses otherwise.

Whoever tells something declares its kinds: a call a kind in `declare()` of a module `told.py`, which `ready()` of the
app calls.

    register("challenge.made", Group.PLAY, _("%(by)s challenges you."), leads_to=to("challenge"), players=("by",))

`data` of a notice is numbers and texts; those named in `players` are ids of players, whose names are looked up when it
is shown. Everything else in it that the words name is put in as it is.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import models
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from notifications.models import Way

__all__ = [
    "Group",
    "NoticeKind",
    "kind_named",
    "kinds",
    "nowhere",
    "register",
    "to",
    "usual",
    "usual_words",
]


class Group(models.TextChoices):
    """What players choose the ways of."""

    OFFERS = "offers", _("Matches that are offered")
    ALERTS = "alerts", _("Somebody near my strength searches")
    PLAY = "play", _("Challenges, rooms, rounds and appointments")
    MATCHES = "matches", _("My matches and their results")
    PEOPLE = "people", _("Friends and people I know")
    TALK = "talk", _("Messages")
    DECISIONS = "decisions", _("Conduct, reports, appeals and decisions on them")


# What comes as usual by a way by which not all kinds of the group do.
_AS_USUAL = {
    (Group.PLAY, Way.MAIL): _("times that are proposed, and reminders of appointments"),
    (Group.PLAY, Way.PUSH): _("what you should know at once"),
}

Address = Callable[[Mapping[str, Any]], str]


@dataclass(frozen=True, slots=True)
class NoticeKind:
    """A kind of notice.

    words     with places such as `%(by)s` for what `data` has
    leads_to  the address of the page it is about, made from `data`
    players   names in `data` whose values are ids of players
    sender    the name among these of who sends it unasked, as often as it likes: its mails and pushes have a limit
              (`notifications/tell.py`). Empty: nobody does, for it answers what the reader has asked, or time tells it
    ways      how it is told unless a player has chosen
    lasts     for how long a mail or push of it is of use; None: it stays so. In quiet hours what passes is not sent,
              the rest after their end
    passes    whether it counts as read by itself once that is over
    """

    code: str
    group: Group
    words: str | Promise
    leads_to: Address
    players: Collection[str]
    sender: str
    ways: frozenset[Way]
    lasts: timedelta | None
    passes: bool = False


_kinds: dict[str, NoticeKind] = {}


def register(
    code: str,
    group: Group,
    words: str | Promise,
    *,
    leads_to: Address,
    players: Collection[str] = (),
    sender: str = "",
    ways: Collection[Way] = (Way.SITE,),
    lasts: timedelta | None = None,
    passes: bool = False,
) -> None:
    """Declare a kind. Raises ValueError for a code that another kind has, or a sender who is none of its players."""
    if sender and sender not in players:
        raise ValueError(f"the sender {sender!r} of {code!r} is none of its players: {players}")
    kind = NoticeKind(code, group, words, leads_to, players, sender, frozenset(ways), lasts, passes)
    if code in _kinds and str(_kinds[code].words) != str(words):
        raise ValueError(f"two kinds of notices are called {code!r}; give one another code")
    _kinds[code] = kind


def kind_named(code: str) -> NoticeKind | None:
    """The kind of this code; None for one that this release does not have (any more)."""
    return _kinds.get(code)


def kinds() -> list[NoticeKind]:
    """All of them, by their codes."""
    return [_kinds[code] for code in sorted(_kinds)]


def usual(group: Group, way: Way) -> bool | None:
    """Whether the kinds of a group are told by a way unless a player has chosen; None: some of them."""
    found = {way in kind.ways for kind in _kinds.values() if kind.group == group}
    return None if len(found) > 1 else True in found


def usual_words(group: Group, way: Way) -> str | Promise:
    """Which kinds these are, where it is some of them."""
    return _AS_USUAL.get((group, way), _("some of these"))


def to(page: str, *names: str) -> Address:
    """Leads to the page of this name, whose address is made of what `data` calls so: `to("play-match", "match")`."""
    return lambda data: reverse(page, args=[data[name] for name in names])


def nowhere(_data: Mapping[str, Any]) -> str:
    """Leads to the notices themselves."""
    return reverse("notifications")
