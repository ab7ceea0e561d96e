"""Accounts, mails to them, and the audit log."""

from collections.abc import Iterator
from typing import Any

from django.contrib.auth.models import AbstractUser, Group
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.functions import TransactionNow
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.entrance.attempts import found_right, found_wrong
from accounts.texts.models import Consent, SiteText
from accounts.usernames import refuse_address, refuse_disguise, refuse_reserved
from foundation.names import isolate, skeleton_of

__all__ = ["AuditEntry", "Consent", "FailedSignIns", "Mail", "ReadyRole", "SiteText", "User"]


class User(AbstractUser):
    """An account of this site. A player of a game is something else: see `ratings.models.Player`."""

    skeleton = models.CharField(
        _("comparable name"),
        max_length=200,
        editable=False,
        help_text=_(
            "What the name looks like, whatever its case and accents: names that look alike have the same."
        ),
    )
    holds_name = models.BooleanField(
        _("holds the name"),
        default=True,
        db_default=True,
        editable=False,
        help_text=_("No other account may hold a name that looks like this one."),
    )
    date_joined = models.DateTimeField(_("date joined"), db_default=TransactionNow())
    # Part of what every sign-in is checked against: one more ends them all.
    sign_in_generation = models.PositiveIntegerField(db_default=0, default=0, editable=False)
    # Kept by the database, whoever writes the row: see the migration that adds them.
    staff_since = models.DateTimeField(_("staff since"), null=True, blank=True, editable=False)
    has_second_factor = models.BooleanField(
        _("second factor"),
        default=False,
        db_default=False,
        editable=False,
        help_text=_("Signing in asks for more than the password."),
    )

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(
                "skeleton", condition=Q(holds_name=True), name="user_held_name_unique"
            ),
            # Of whoever writes rows past `save`.
            models.CheckConstraint(condition=~Q(skeleton=""), name="user_name_can_be_compared"),
        ]
        indexes = [
            # Whose name looks like this one.
            models.Index(fields=["skeleton"], name="user_alike"),
            # Few: of each name that several have, all but one.
            models.Index(
                fields=["skeleton", "id"],
                name="user_holds_no_name",
                condition=Q(holds_name=False),
            ),
        ]

    def __str__(self) -> str:
        return self.username

    def check_password(self, raw_password: str | None) -> bool:
        """Say whether it is the password. Whoever counts attempts hears it too."""
        is_right = super().check_password(raw_password)  # nothing ends it midway if it is wrong
        (found_right if is_right else found_wrong)()
        return is_right

    def clean(self) -> None:
        """Hold the rules of names in the admin too. A name that its field has refused already is empty here."""
        super().clean()
        if not self.username:
            return
        try:
            self.check_name()
        except ValidationError as error:
            raise ValidationError({"username": error}) from None

    def check_name(self) -> None:
        """Raise ValidationError for a name that disguises itself, or looks like an address, or like the name of another
        account or of a deleted one.

        A name of before these rules may stay as it is.
        """
        if self.pk is not None and User.objects.filter(pk=self.pk, username=self.username).exists():
            return
        refuse_address(self.username)
        refuse_disguise(self.username)
        refuse_reserved(self.username)
        alike = User.objects.filter(skeleton=skeleton_of(self.username))
        if alike.exclude(pk=self.pk).exists():
            words = gettext("“%(name)s”, or a name that looks like it, is taken. Choose another.")
            raise ValidationError(words % {"name": isolate(self.username)}, code="name_taken")

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Keep what follows from the name in step; IntegrityError for a name that looks like one that is held."""
        looks = skeleton_of(self.username)
        if looks != self.skeleton:
            self.skeleton, self.holds_name = looks, True
        columns = kwargs.get("update_fields")
        if columns is not None and "username" in columns:
            kwargs["update_fields"] = {*columns, "skeleton", "holds_name"}
        super().save(*args, **kwargs)

    def get_session_auth_hash(self) -> str:
        return self._of_this_generation(super().get_session_auth_hash())

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        return map(self._of_this_generation, super().get_session_auth_fallback_hash())

    def _of_this_generation(self, digest: str) -> str:
        """Sign-ins of before there were generations stay good until the first end of access."""
        if not self.sign_in_generation:
            return digest
        return salted_hmac("accounts.sign_in", f"{digest}{self.sign_in_generation}").hexdigest()


class Mail(models.Model):
    """A mail that somebody is to get. It holds no link and no token: these are made when it is sent."""

    class Kind(models.TextChoices):
        """What the mail is for."""

        CONFIRM = "confirm", _("confirm an address")
        RESET = "reset", _("set a new password")
        ADDED = "added", _("tell of an address that was added")
        CONFIRMED = "confirmed", _("tell of an address that was confirmed")
        PRIMARY = "primary", _("tell of another primary address")
        REMOVED = "removed", _("tell of an address that was removed")
        PASSWORD = "password", _("tell of another password")
        FACTOR = "factor", _("tell of another second factor")

    class State(models.TextChoices):
        """What has become of it."""

        WAITING = "waiting", _("waiting")
        SENT = "sent", _("sent")
        NEEDLESS = "needless", _("nothing to send")
        PARKED = "parked", _("given up")

    kind = models.CharField(_("kind"), max_length=20, choices=Kind)
    address = models.EmailField(_("address"))
    account = models.ForeignKey(
        User,
        verbose_name=_("account"),
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        help_text=_("Empty where the account is looked up by the address when the mail is sent."),
    )
    detail = models.EmailField(_("address that it tells of"), blank=True, default="", db_default="")
    language = models.CharField(_("language"), max_length=16, default="en")
    state = models.CharField(_("state"), max_length=20, choices=State, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    made_at = models.DateTimeField(_("asked for"), db_default=TransactionNow())
    next_attempt_at = models.DateTimeField(_("next attempt"), db_default=TransactionNow())
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)
    trouble = models.TextField(_("what went wrong last"), blank=True)

    class Meta:
        verbose_name = _("mail")
        verbose_name_plural = _("mails")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    kind__in=[
                        "confirm",
                        "reset",
                        "added",
                        "confirmed",
                        "primary",
                        "removed",
                        "password",
                        "factor",
                    ]
                ),
                name="mail_kind_is_known",
            ),
            models.CheckConstraint(
                condition=Q(state="waiting", finished_at__isnull=True)
                | Q(state__in=["sent", "needless", "parked"], finished_at__isnull=False),
                name="mail_is_finished_or_waits",
            ),
            models.CheckConstraint(
                condition=(~Q(kind="reset") & Q(account__isnull=False))
                | Q(kind="reset", account__isnull=True),
                name="mail_to_an_account_to_confirm",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["added", "confirmed", "primary", "removed"], detail__gt="")
                | (~Q(kind__in=["added", "confirmed", "primary", "removed"]) & Q(detail="")),
                name="mail_of_an_address_names_it",
            ),
            # Whoever asks twice while the server is down gets one.
            models.UniqueConstraint(
                fields=["kind", "address", "account", "detail"],
                condition=Q(state="waiting"),
                nulls_distinct=False,
                name="mail_waits_once",
            ),
        ]
        indexes = [
            models.Index(fields=["next_attempt_at"], condition=Q(state="waiting"), name="mail_due"),
            models.Index(
                fields=["finished_at"],
                condition=Q(finished_at__isnull=False),
                name="mail_age",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.address}"


class FailedSignIns(models.Model):
    """How often signing in to an account has failed on one day (UTC): a flood of guesses is one row."""

    account = models.ForeignKey(
        User,
        verbose_name=_("account"),
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        help_text=_("Empty: all names and addresses together that no account has."),
    )
    day = models.DateField(_("day"))
    passwords = models.PositiveIntegerField(_("wrong passwords"), default=0, db_default=0)
    codes = models.PositiveIntegerField(_("wrong codes"), default=0, db_default=0)

    class Meta:
        verbose_name = _("failed sign-ins of a day")
        verbose_name_plural = _("failed sign-ins")
        ordering = ["-day", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["day", "account"], nulls_distinct=False, name="failed_sign_ins_of_a_day"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.day:%Y-%m-%d}: {self.passwords + self.codes}"


class ReadyRole(models.Model):
    """A group that came with this site, and which rights it was given: see `accounts.roles`."""

    name = models.CharField(_("name"), max_length=50, unique=True)
    group = models.OneToOneField(
        Group,
        verbose_name=_("group"),
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
        help_text=_("Empty: deleted by an operator, or not ours."),
    )
    given = ArrayField(
        models.CharField(max_length=120),
        verbose_name=_("rights given"),
        default=list,
        db_default=[],
    )

    class Meta:
        verbose_name = _("ready role")
        verbose_name_plural = _("ready roles")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class AuditEntry(models.Model):
    """One change that a person made, with the values before and after. Rows are only ever added."""

    at = models.DateTimeField(_("at"), db_default=TransactionNow())
    actor = models.ForeignKey(
        User,
        verbose_name=_("who"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        help_text=_("Empty for a command run on the server, and for whoever was not signed in."),
    )
    through = models.CharField(
        _("through the key"),
        max_length=120,
        blank=True,
        db_default="",
        help_text=_("By which a program acted over the API. Empty: a person, or a command."),
    )
    action = models.CharField(_("action"), max_length=80)
    target_type = models.CharField(_("type of object"), max_length=80)
    target_id = models.CharField(_("which one"), max_length=80)
    before = models.JSONField(_("before"), null=True, blank=True)
    after = models.JSONField(_("after"), null=True, blank=True)
    note = models.TextField(_("note"), blank=True)

    class Meta:
        verbose_name = _("audit entry")
        verbose_name_plural = _("audit log")
        ordering = ["-id"]
        indexes = [
            # The history of one thing, newest first, on its admin page.
            models.Index(fields=["target_type", "target_id", "-id"], name="audit_of_target"),
            # Players that were moved lately: the start page looks for those that were the reader's.
            models.Index(fields=["at"], name="audit_of_moves", condition=Q(action="player.moved")),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.target_type} {self.target_id}"
