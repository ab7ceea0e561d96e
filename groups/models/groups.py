"""Groups, who is in them, who is invited, and who was removed."""

from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from foundation.timekeeping import Begun
from groups.models.rules import MOST_MEMBERS
from ratings.models import Game, Player
from ratings.models.players import INVISIBLE

__all__ = ["Access", "Group", "Invitation", "Membership", "Removal"]


class Access(models.TextChoices):
    """Who may come into a group."""

    ALL = "open", _("everyone")
    INVITED = "invited", _("those who are invited")
    NOBODY = "closed", _("nobody for now")


class Group(models.Model):
    """A group of players. One that ends is deleted, with all that hangs on it.

    By foreign keys that hold when a transaction commits its owner is a member of it (migration 0001), and members know
    how many it may have: each has a place of its own below that number.
    """

    game = models.ForeignKey(
        Game,
        verbose_name=_("game"),
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
        db_index=False,
        help_text=_("Empty: for players of all games."),
    )
    owner = models.ForeignKey(
        Player,
        verbose_name=_("owner"),
        on_delete=models.PROTECT,
        related_name="+",
        help_text=_("Says how the group is, and may remove members."),
    )
    name = models.CharField(_("name"), max_length=60, blank=True)
    note = models.CharField(_("note"), max_length=200, blank=True)
    access = models.CharField(
        _("who may join"), max_length=10, choices=Access, default=Access.INVITED
    )
    most = models.PositiveSmallIntegerField(_("members at most"))
    ends_at = models.DateTimeField(
        _("ends"),
        null=True,
        blank=True,
        help_text=_("Of a random group that its members have not kept."),
    )
    is_drawn = models.BooleanField(
        _("random group"), default=False, editable=False, help_text=_("Put together by lot.")
    )
    created_at = models.DateTimeField(_("made"), db_default=TransactionNow(), editable=False)

    # After a clock that ran ahead.
    begins_anew = (Begun("created_at", beside=("ends_at",)),)

    class Meta:
        verbose_name = _("group of players")
        verbose_name_plural = _("groups of players")
        ordering = ["-id"]
        permissions = [("dissolve_group", _("Can dissolve groups of players"))]
        constraints = [
            # What members' foreign key refers to.
            models.UniqueConstraint(fields=["id", "most"], name="group_most"),
            models.CheckConstraint(
                condition=Q(most__gte=2, most__lte=MOST_MEMBERS), name="group_size"
            ),
            models.CheckConstraint(
                condition=~Q(name="") | Q(is_drawn=True), name="group_has_a_name"
            ),
            models.CheckConstraint(condition=Q(access__in=Access.values), name="group_access"),
            models.CheckConstraint(
                condition=Q(ends_at__isnull=True) | Q(is_drawn=True), name="group_drawn_ends"
            ),
            models.CheckConstraint(
                condition=~Q(name__regex=INVISIBLE) & ~Q(note__regex=INVISIBLE),
                name="group_texts_can_be_shown",
            ),
        ]
        indexes = [
            # Those that can be found, the newest first.
            models.Index(
                fields=["game", "-id"], condition=Q(access=Access.ALL), name="group_listed"
            ),
            models.Index(
                fields=["ends_at"], condition=Q(ends_at__isnull=False), name="group_ending"
            ),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"

    def get_absolute_url(self) -> str:
        """Address of the group's page."""
        return reverse("group", args=[self.pk])

    @property
    def title(self) -> str:
        """What it is called; a random group that has no name yet by its number."""
        return self.name or gettext("Random group %(number)d") % {"number": self.pk}


class Membership(models.Model):
    """A player in a group."""

    group = models.ForeignKey(
        Group,
        verbose_name=_("group"),
        on_delete=models.CASCADE,
        related_name="members",
        db_index=False,
    )
    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
    )
    place = models.PositiveSmallIntegerField(_("place"), editable=False)
    # The group's, so that the database can say which places there are.
    most = models.PositiveSmallIntegerField(_("members at most"), editable=False)
    shows = models.BooleanField(
        _("shows what it is at"),
        default=False,
        help_text=_("To the group, as to friends: whether it searches, plays, or is in a room."),
    )
    keeps = models.BooleanField(
        _("wants to keep it"), default=False, help_text=_("A random group, beyond its time.")
    )
    joined_at = models.DateTimeField(_("joined"), db_default=TransactionNow(), editable=False)

    class Meta:
        verbose_name = _("member of a group")
        verbose_name_plural = _("members of groups")
        ordering = ["id"]
        constraints = [
            # Also the index by which members are read, and what the owner's foreign key refers to.
            models.UniqueConstraint(fields=["group", "player"], name="group_member_once"),
            models.UniqueConstraint(fields=["group", "place"], name="group_place_once"),
            models.CheckConstraint(condition=Q(place__lt=F("most")), name="group_place_exists"),
        ]
        indexes = [
            # A player's groups, newest first.
            models.Index(fields=["player", "-id"], name="group_of_player"),
        ]

    def __str__(self) -> str:
        return str(self.player)


class Invitation(models.Model):
    """A player is asked into a group. Answered, withdrawn or grown old it leaves no row."""

    group = models.ForeignKey(
        Group,
        verbose_name=_("group"),
        on_delete=models.CASCADE,
        related_name="invitations",
        db_index=False,
    )
    player = models.ForeignKey(
        Player, verbose_name=_("player"), on_delete=models.CASCADE, related_name="+"
    )
    by = models.ForeignKey(
        Player, verbose_name=_("invited by"), on_delete=models.CASCADE, related_name="+"
    )
    at = models.DateTimeField(_("invited"), db_default=TransactionNow(), editable=False)

    # After a clock that ran ahead.
    begins_anew = (Begun("at"),)

    class Meta:
        verbose_name = _("invitation to a group")
        verbose_name_plural = _("invitations to groups")
        ordering = ["id"]
        constraints = [models.UniqueConstraint("group", "player", name="group_invited_once")]
        indexes = [models.Index(fields=["at"], name="group_invited_at")]

    def __str__(self) -> str:
        return f"{self.player_id} into {self.group_id}"


class Removal(models.Model):
    """The owner has removed a player, who does not come back unless invited by the owner."""

    group = models.ForeignKey(
        Group,
        verbose_name=_("group"),
        on_delete=models.CASCADE,
        related_name="removals",
        db_index=False,
    )
    player = models.ForeignKey(
        Player, verbose_name=_("player"), on_delete=models.CASCADE, related_name="+"
    )

    class Meta:
        verbose_name = _("removal from a group")
        verbose_name_plural = _("removals from groups")
        ordering = ["id"]
        constraints = [models.UniqueConstraint("group", "player", name="group_removed_once")]

    def __str__(self) -> str:
        return f"{self.player_id} out of {self.group_id}"
