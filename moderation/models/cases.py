"""Cases: what waits at the desk, who has it, and what was decided."""

from django.conf import settings
from django.contrib.postgres.functions import TransactionNow
from django.core.validators import MaxLengthValidator
from django.db import models
from django.db.models import Q, Value
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from matchmaking.models import Offence, OffenceAppeal
from moderation.models.appeals import Appeal
from moderation.models.names import NameChange
from moderation.models.reports import PlayerReport
from ratings.models import Match, Sanction

__all__ = ["LONGEST_REASON", "Act", "Case", "Decision", "Queue"]

LONGEST_REASON = 1000


class Queue(models.TextChoices):
    """In which list of the desk a case waits."""

    DISPUTE = "dispute", _("Disputes")
    REPORT = "report", _("Reports")
    APPEAL = "appeal", _("Appeals")
    NAME = "name", _("Names")


# A case by its list: in English and elsewhere one thing is called otherwise than a list of them.
_CASES = {
    Queue.DISPUTE: _("Dispute %(number)d"),
    Queue.REPORT: _("Report %(number)d"),
    Queue.APPEAL: _("Appeal %(number)d"),
    Queue.NAME: _("Name %(number)d"),
}


class Act(models.TextChoices):
    """What a moderator does about a case."""

    NOTHING = "nothing", _("Nothing to be done")
    WARN = "warn", _("Warn the player")
    MANNERS = "manners", _("Bad manners: give points")
    COOL_OFF = "cool_off", _("Bad manners: give points, and let the player cool off")
    SUSPEND = "suspend", _("Suspend the player")
    HIDE = "hide", _("Hide the player from leaderboards")
    ANNUL = "annul", _("Annul the match")
    ANNUL_MANY = "annul_many", _("Annul several matches of the player")
    CORRECT = "correct", _("Correct the result")
    RESOLVE = "resolve", _("Decide the result")
    ABORT = "abort", _("The match was not played")
    RESET_NAME = "reset_name", _("Reset the name")
    GRANT = "grant", _("Grant the appeal")
    REFUSE = "refuse", _("Refuse the appeal")


def _only(*queues: str, of: str) -> Q:
    """Of these lists, and about that alone."""
    things = ("match", "report", "appeal", "conduct_appeal")
    return Q(queue__in=queues, **{f"{thing}__isnull": thing != of for thing in things})


class Case(models.Model):
    """One thing to decide. One moderator has it at a time, for some minutes."""

    queue = models.CharField(_("list"), max_length=10, choices=Queue, editable=False)
    match = models.OneToOneField(
        Match,
        verbose_name=_("disputed match"),
        on_delete=models.CASCADE,
        null=True,
        related_name="dispute_case",
        editable=False,
    )
    report = models.OneToOneField(
        PlayerReport,
        verbose_name=_("report"),
        on_delete=models.CASCADE,
        null=True,
        related_name="case",
        editable=False,
    )
    appeal = models.OneToOneField(
        Appeal,
        verbose_name=_("appeal"),
        on_delete=models.CASCADE,
        null=True,
        related_name="case",
        editable=False,
    )
    conduct_appeal = models.OneToOneField(
        OffenceAppeal,
        verbose_name=_("appeal against points"),
        on_delete=models.CASCADE,
        null=True,
        related_name="case",
        editable=False,
    )
    opened_at = models.DateTimeField(_("opened"), db_default=TransactionNow(), editable=False)
    taken_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("taken by"),
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
        editable=False,
    )
    taken_until = models.DateTimeField(_("taken until"), null=True, editable=False)
    decided_at = models.DateTimeField(_("decided"), null=True, editable=False)

    class Meta:
        verbose_name = _("case")
        verbose_name_plural = _("cases")
        ordering = ["-id"]
        permissions = [("decide_case", _("Can decide cases at the desk"))]
        constraints = [
            models.CheckConstraint(
                condition=_only("dispute", of="match")
                | _only("report", "name", of="report")
                | _only("appeal", of="appeal")
                | _only("appeal", of="conduct_appeal"),
                name="case_of_one_thing",
            ),
            models.CheckConstraint(
                condition=Q(taken_by__isnull=True) | Q(taken_until__isnull=False),
                name="case_taken_for_a_time",
            ),
        ]
        indexes = [
            # What waits: few, however many were decided.
            models.Index(
                fields=["queue", "id"], name="case_waiting", condition=Q(decided_at__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return str(_CASES[Queue(self.queue)]) % {"number": self.pk}

    def get_absolute_url(self) -> str:
        """Its page at the desk."""
        return reverse("desk-case", args=[self.pk])


class Decision(models.Model):
    """What was decided of a case: one that holds at a time, and those that were taken back."""

    case = models.ForeignKey(
        Case,
        verbose_name=_("case"),
        on_delete=models.CASCADE,
        related_name="decisions",
        db_index=False,
        editable=False,
    )
    act = models.CharField(_("decision"), max_length=12, choices=Act, editable=False)
    reason = models.TextField(
        _("reason"), editable=False, validators=[MaxLengthValidator(LONGEST_REASON)]
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("decided by"),
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
        editable=False,
    )
    at = models.DateTimeField(_("at"), db_default=TransactionNow(), editable=False)
    sanction = models.ForeignKey(
        Sanction,
        verbose_name=_("sanction"),
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        editable=False,
    )
    name_change = models.ForeignKey(
        NameChange,
        verbose_name=_("reset of a name"),
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
        editable=False,
    )
    offence = models.ForeignKey(
        Offence,
        verbose_name=_("offence"),
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
        editable=False,
    )
    undone_at = models.DateTimeField(_("taken back"), null=True, editable=False)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("taken back by"),
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
        editable=False,
    )

    class Meta:
        verbose_name = _("decision")
        verbose_name_plural = _("decisions")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["case"],
                condition=Q(undone_at__isnull=True),
                name="decision_one_holds",
            ),
            models.CheckConstraint(condition=Q(act__in=Act.values), name="decision_is_an_act"),
            models.CheckConstraint(condition=~Q(reason=""), name="decision_has_a_reason"),
            models.CheckConstraint(
                condition=LessThanOrEqual(Length("reason"), Value(LONGEST_REASON)),
                name="decision_reason_is_short",
            ),
            models.CheckConstraint(
                condition=Q(undone_at__isnull=False) | Q(undone_by__isnull=True),
                name="decision_undone_at_a_time",
            ),
        ]
        indexes = [models.Index(fields=["case", "-id"], name="decision_of_case")]

    def __str__(self) -> str:
        return f"{self.case}: {self.get_act_display()}"
