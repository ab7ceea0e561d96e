"""What a player wants to be told by which way, and when it is quiet."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import time
from http import HTTPStatus

from django.conf import settings
from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.models import User
from foundation import clock
from foundation.names import isolate
from foundation.postgresql.transactions import briefly
from foundation.refusals import RefusedError
from notifications.kinds import Group, kinds, usual, usual_words
from notifications.models import AccountLanguage, Choice, Delivery, QuietHours, Way
from notifications.quiet import quiet_until, zones

__all__ = [
    "GroupChoices",
    "WrongQuietHoursError",
    "choices_of",
    "choose",
    "language_of",
    "postponed",
    "quiet_hours_of",
    "remember_language",
    "set_quiet_hours",
    "signed_in",
    "zones",
]


class WrongQuietHoursError(RefusedError):
    """Quiet hours without an end, or in a zone that nobody knows."""

    code = "wrong_quiet_hours"
    status = HTTPStatus.UNPROCESSABLE_ENTITY


@dataclass(frozen=True, slots=True)
class GroupChoices:
    """A group of kinds, and by which ways it is told: all of them, none, or (None) those that are as usual."""

    group: Group
    ways: Mapping[Way, bool | None]

    @property
    def label(self) -> str | Promise:
        """What it is called."""
        return self.group.label

    def usual_words(self, way: Way) -> str | Promise:
        """What comes as usual, where that is neither all nor nothing; else empty."""
        return usual_words(self.group, way) if usual(self.group, way) is None else ""


def choices_of(player_id: int) -> list[GroupChoices]:
    """The groups of which there are kinds, with what the player chose, else what the kinds say. One query."""
    rows = Choice.objects.filter(player=player_id).values_list("group", "way", "wanted")
    chosen = {(group, way): wanted for group, way, wanted in rows}
    of_kinds = {kind.group for kind in kinds()}
    return [
        GroupChoices(
            group,
            {way: chosen.get((group.value, way.value), usual(group, way)) for way in Way},
        )
        for group in Group
        if group in of_kinds
    ]


def choose(player_id: int, wanted: Mapping[tuple[str, str], bool | None]) -> None:
    """Choose, by group and way: all kinds, none, or (None) as usual, which keeps no row. What is not named stays.

    What waits to be sent by a way that is not wanted any more is not sent.
    """
    named = sorted(wanted.items(), key=lambda item: item[0])
    with briefly():
        known = {
            (one.group.value, way.value): is_wanted
            for one in choices_of(player_id)
            for way, is_wanted in one.ways.items()
        }
        rows = [
            Choice(player_id=player_id, group=group, way=way, wanted=is_wanted)
            for (group, way), is_wanted in named
            if is_wanted is not None and known.get((group, way), is_wanted) != is_wanted
        ]
        for group, way in [of for of, is_wanted in named if is_wanted is None]:
            Choice.objects.filter(player=player_id, group=group, way=way).delete()
        Choice.objects.bulk_create(
            rows,
            update_conflicts=True,
            unique_fields=["player", "group", "way"],
            update_fields=["wanted"],
        )
        for (group, way), is_wanted in named:
            if not is_wanted:
                codes = [
                    kind.code
                    for kind in kinds()
                    if kind.group == group and (is_wanted is False or way not in kind.ways)
                ]
                meant = Q(notice__player=player_id) | Q(notice__player__merged_into=player_id)
                Delivery.objects.filter(meant, way=way, notice__kind__in=codes).delete()


def quiet_hours_of(player_id: int) -> QuietHours | None:
    """The player's quiet hours, if there are any."""
    return QuietHours.objects.filter(player=player_id).first()


def set_quiet_hours(player_id: int, begins: time | None, ends: time | None, zone: str) -> None:
    """Set them, or end them without times. Raises WrongQuietHoursError."""
    if begins is None and ends is None:
        QuietHours.objects.filter(player=player_id).delete()
        return
    if begins is None or ends is None:
        raise WrongQuietHoursError(
            _("Give both times, from and until, or neither for no quiet hours.")
        )
    if begins == ends:
        raise WrongQuietHoursError(
            _("Quiet hours from %(time)s until %(time)s have no end: give two different times.")
            % {"time": f"{begins:%H:%M}"}
        )
    if zone not in zones():
        raise WrongQuietHoursError(
            _("There is no time zone “%(zone)s”. Give one such as Europe/Berlin or UTC.")
            % {"zone": isolate(zone[:60])}
        )
    QuietHours.objects.update_or_create(
        player_id=player_id, defaults={"begins": begins, "ends": ends, "zone": zone}
    )


def postponed(delivery: Delivery) -> bool:
    """Whether a mail or push that was tried before would come in quiet hours now: then it waits for their end."""
    player = delivery.notice.player
    quiet = quiet_hours_of(player.merged_into_id or player.pk)
    if quiet is None:
        return False
    until = quiet_until(quiet.begins, quiet.ends, quiet.zone, clock.now())
    if until is not None:  # what is of no use by then goes when its time is over
        rest = Delivery.objects.filter(pk=delivery.pk)
        rest.update(due_at=until, attempts=max(0, delivery.attempts - 1))
    return until is not None


def remember_language(account: User, language: str) -> None:
    """Remember in which language an account reads; nothing is written where it is known."""
    if not AccountLanguage.objects.filter(account=account, language=language).exists():
        AccountLanguage.objects.update_or_create(account=account, defaults={"language": language})


def signed_in(sender: object, user: User, request: object = None, **_more: object) -> None:
    """Remember the language of the page on which an account signed in."""
    if request is not None:
        remember_language(user, get_language() or settings.LANGUAGE_CODE)


def language_of(account_id: int) -> str | None:
    """In which language an account reads; None where it has not been seen."""
    return (
        AccountLanguage.objects.filter(account=account_id)
        .values_list("language", flat=True)
        .first()
    )
