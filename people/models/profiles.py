"""What players tell of themselves, for finding people to play with."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ratings.models import Game, Player

__all__ = ["AgeGroup", "PlaysFor", "Profile", "ProfileTag", "Tag", "Told"]


class Told(models.TextChoices):
    """Who sees one thing of a profile. Queues and rooms may go by it whoever sees it."""

    EVERYONE = "everyone", _("everyone")
    FRIENDS = "friends", _("friends only")
    MATCHING = "matching", _("nobody, for matching only")


class AgeGroup(models.TextChoices):
    """How old somebody is, as far as it is asked."""

    UNDER_18 = "under-18", _("under 18")
    TO_24 = "18-24", _("18 to 24")
    TO_34 = "25-34", _("25 to 34")
    TO_49 = "35-49", _("35 to 49")
    OVER_49 = "50-up", _("50 or older")


class PlaysFor(models.TextChoices):
    """What somebody plays for."""

    FUN = "fun", _("fun")
    IMPROVING = "improving", _("getting better")
    WINNING = "winning", _("winning")
    COMPANY = "company", _("company")


class Tag(models.Model):
    """A word that a game's operator offers for profiles. One that is offered no more stays with those who have it."""

    game = models.ForeignKey(
        Game, verbose_name=_("game"), on_delete=models.PROTECT, related_name="+", db_index=False
    )
    slug = models.SlugField(_("short name"), max_length=40)
    name = models.CharField(_("name"), max_length=60)
    offered = models.BooleanField(
        _("offered"), default=True, db_default=True, help_text=_("Players may choose it.")
    )

    class Meta:
        verbose_name = _("profile tag")
        verbose_name_plural = _("profile tags")
        ordering = ["game", "name", "id"]
        constraints = [
            models.UniqueConstraint(
                "game",
                "slug",
                name="tag_once_in_game",
                violation_error_message=_("The game has a tag with this short name already."),
            ),
            models.CheckConstraint(condition=~Q(name=""), name="tag_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name


class Profile(models.Model):
    """What a player tells; what is empty is not told, and used for nothing."""

    player = models.OneToOneField(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="+",
    )
    country = models.CharField(
        _("country"),
        max_length=2,
        blank=True,
        default="",
        db_default="",
    )
    age_group = models.CharField(
        _("age group"), max_length=8, choices=AgeGroup, blank=True, default="", db_default=""
    )
    plays_for = models.CharField(
        _("plays for"), max_length=10, choices=PlaysFor, blank=True, default="", db_default=""
    )
    country_told = models.CharField(
        _("who sees the country"),
        max_length=10,
        choices=Told,
        default=Told.FRIENDS,
        db_default=Told.FRIENDS,
    )
    age_group_told = models.CharField(
        _("who sees the age group"),
        max_length=10,
        choices=Told,
        default=Told.FRIENDS,
        db_default=Told.FRIENDS,
    )
    plays_for_told = models.CharField(
        _("who sees what you play for"),
        max_length=10,
        choices=Told,
        default=Told.FRIENDS,
        db_default=Told.FRIENDS,
    )
    tags_told = models.CharField(
        _("who sees the tags"),
        max_length=10,
        choices=Told,
        default=Told.FRIENDS,
        db_default=Told.FRIENDS,
    )

    class Meta:
        verbose_name = _("profile")
        verbose_name_plural = _("profiles")
        constraints = [
            models.CheckConstraint(
                condition=Q(country="") | Q(country__regex="^[A-Z]{2}$"), name="profile_country"
            ),
            models.CheckConstraint(
                condition=Q(age_group__in=["", *AgeGroup]), name="profile_age_group"
            ),
            models.CheckConstraint(
                condition=Q(plays_for__in=["", *PlaysFor]), name="profile_plays_for"
            ),
            models.CheckConstraint(
                condition=Q(country_told__in=Told)
                & Q(age_group_told__in=Told)
                & Q(plays_for_told__in=Told)
                & Q(tags_told__in=Told),
                name="profile_told",
            ),
        ]

    def __str__(self) -> str:
        return f"profile of {self.player_id}"


class ProfileTag(models.Model):
    """A tag that a player has chosen."""

    player = models.ForeignKey(
        Player, verbose_name=_("player"), on_delete=models.CASCADE, related_name="+", db_index=False
    )
    tag = models.ForeignKey(Tag, verbose_name=_("tag"), on_delete=models.PROTECT, related_name="+")

    class Meta:
        verbose_name = _("chosen tag")
        verbose_name_plural = _("chosen tags")
        ordering = ["id"]
        constraints = [models.UniqueConstraint("player", "tag", name="profile_tag_once")]

    def __str__(self) -> str:
        return f"{self.player_id} has {self.tag_id}"
