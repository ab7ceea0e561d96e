"""What the desk refuses, in words."""

from datetime import datetime
from http import HTTPStatus
from math import ceil

from django.utils.translation import gettext as _

from foundation import clock
from foundation.names import isolate
from foundation.refusals import RefusedError
from foundation.templatetags.display import moment, utc_text

__all__ = [
    "CaseDecidedError",
    "CaseTakenError",
    "NameChangesUsedUpError",
    "NameHeldError",
    "NameLockedError",
    "NotAppealableError",
    "NotInMatchTogetherError",
    "OwnDecisionError",
    "ReportOpenError",
    "ReportsItselfError",
    "TooManyReportsError",
    "WrongActError",
    "WrongReportError",
]


class WrongReportError(RefusedError):
    """A report that says too little, or too much."""

    code = "wrong_report"
    status = HTTPStatus.UNPROCESSABLE_ENTITY


class ReportsItselfError(RefusedError):
    """The player to report is the one who reports."""

    code = "reports_itself"
    status = HTTPStatus.UNPROCESSABLE_ENTITY

    def __init__(self) -> None:
        super().__init__(_("You can't report yourself."))


class NotInMatchTogetherError(RefusedError):
    """The match is not one that both have played. Extra: match."""

    code = "not_in_match_together"

    def __init__(self, match: int) -> None:
        words = _("You and that player did not both take part in match %(number)s.")
        super().__init__(words % {"number": match}, match=match)


class ReportOpenError(RefusedError):
    """The same is reported already. Extra: report, its id."""

    code = "report_open"

    def __init__(self, report: int) -> None:
        words = _("You've already reported this player, and a moderator is still to look at it.")
        super().__init__(words, report=report)


class TooManyReportsError(RefusedError):
    """More than anybody has reason for. Extra: most, and at."""

    code = "too_many_reports"
    status = HTTPStatus.TOO_MANY_REQUESTS

    def __init__(self, most: int, at: datetime) -> None:
        words = _("You can report %(most)d players a day. You can report again at %(at)s.")
        super().__init__(words % {"most": most, "at": moment(at)}, most=most, at=utc_text(at))
        self.retry_after = max(ceil((at - clock.now()).total_seconds()), 1)


class NotAppealableError(RefusedError):
    """A note, something of another player's, or something that is over."""

    code = "not_appealable"

    def __init__(self) -> None:
        words = _(
            "There is nothing to appeal against: it is over, was taken back, or is not yours."
        )
        super().__init__(words)


class NameChangesUsedUpError(RefusedError):
    """As many changes as the operator allows. Extra: most, and at: null where names never change."""

    code = "name_changes_used_up"

    def __init__(self, most: int, at: datetime | None) -> None:
        if at is None:
            words = _("Players can't change their names here.")
        else:
            words = _("Names can be changed %(most)d times in 30 days. The next time: %(at)s.")
            words %= {"most": most, "at": moment(at)}
        super().__init__(words, most=most, at=utc_text(at) if at else None)


class NameHeldError(RefusedError):
    """Somebody else was called so until lately."""

    code = "name_held"

    def __init__(self, name: str) -> None:
        words = _("“%(name)s” was another player's name until lately. Choose another, or wait.")
        super().__init__(words % {"name": isolate(name)})


class NameLockedError(RefusedError):
    """A moderator or admin has fixed the name."""

    code = "name_locked"

    def __init__(self) -> None:
        super().__init__(
            _("Your name was fixed by a moderator. Appeal against that, or ask an admin.")
        )


class CaseTakenError(RefusedError):
    """Another moderator has the case."""

    code = "case_taken"

    def __init__(self, by: str, until: datetime) -> None:
        words = _("%(name)s has this case until %(until)s. Nothing was changed.")
        super().__init__(words % {"name": isolate(by), "until": moment(until)})


class CaseDecidedError(RefusedError):
    """Decided already, here or elsewhere."""

    code = "case_decided"

    def __init__(self) -> None:
        super().__init__(_("This case is decided already. Nothing was changed."))


class OwnDecisionError(RefusedError):
    """An appeal is for somebody else to decide than whoever is appealed against, where there is anybody else."""

    code = "own_decision"

    def __init__(self) -> None:
        words = _("You decided what this appeal is about, so another moderator decides the appeal.")
        super().__init__(words)


class WrongActError(RefusedError):
    """What cannot be done about such a case, or lacks something."""

    code = "wrong_act"
    status = HTTPStatus.UNPROCESSABLE_ENTITY
