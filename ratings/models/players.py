"""Players: who is rated."""

from typing import Any

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from foundation.archiving import Archivable, in_use
from foundation.names import clean_name, search_keys, skeleton_of
from ratings.models.games import Game

__all__ = [
    "INVISIBLE",
    "LONGEST_CLAN_TAG",
    "FormerName",
    "Player",
    "PlayerKind",
    "SearchKey",
    "name_columns",
]

# Signs of control and of direction, and those without width: a name that holds one reorders or hides text around it.
INVISIBLE = r"[\u0001-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]"

LONGEST_CLAN_TAG = 6


def name_columns(name: str) -> dict[str, Any]:
    """The columns that a player called `name` has: the name as it can be shown, and what follows from it."""
    shown = clean_name(name)[:100]
    return {"name": shown, "skeleton": skeleton_of(shown), "search_keys": search_keys(shown)}


class PlayerKind(models.TextChoices):
    """What stands behind a rating: a clan or a fixed group is rated as one virtual player."""

    PERSON = "person", _("person")
    CLAN = "clan", _("clan")
    GROUP = "group", _("group of team mates")


class PlayerQuerySet(models.QuerySet["Player"]):
    """Reading players."""

    def in_use(self) -> "PlayerQuerySet":
        """Those who are not archived, nor their game."""
        return self.filter(in_use("", "game__"))


class Player(Archivable):
    """A player of one game. Names repeat in games, so the game's own id tells players apart.

    An account of this site may claim a player. Two players who are one person are merged by operators: then one of them
    counts for the other, see `ratings.models.merges`. Archived are those whom only an import made that was taken back;
    the database ends that as soon as they play, get an account or another name.
    """

    game = models.ForeignKey(Game, verbose_name=_("game"), on_delete=models.PROTECT)
    kind = models.CharField(
        _("kind"), max_length=10, choices=PlayerKind, default=PlayerKind.PERSON, editable=False
    )
    external_id = models.CharField(
        _("id in the game"),
        max_length=100,
        help_text=_("How the game names this player. Unique in the game."),
    )
    name = models.CharField(_("name"), max_length=100)
    skeleton = models.CharField(
        _("comparable name"),
        max_length=200,
        editable=False,
        help_text=_(
            "What the name looks like, whatever its case and accents: names that look alike have the same."
        ),
    )
    search_keys = ArrayField(
        models.TextField(),
        verbose_name=_("search keys"),
        default=list,
        db_default=[],
        editable=False,
        help_text=_(
            "The name, and what begins at each further word of it, as searches compare it."
        ),
    )
    looks_alike = models.BooleanField(
        _("looks alike"),
        default=False,
        db_default=False,
        editable=False,
        help_text=_("Another player of the game has a name that looks like this one."),
    )
    holds_name = models.BooleanField(
        _("holds the name"),
        default=True,
        db_default=True,
        editable=False,
        help_text=_("No other account of the game may hold a name that looks like this one."),
    )
    name_locked = models.BooleanField(
        _("name locked"),
        default=False,
        db_default=False,
        help_text=_(
            "The name stays as it is, whatever the game calls the player; operators alone change it."
        ),
    )
    clan_tag = models.CharField(
        _("tag of the clan"),
        max_length=LONGEST_CLAN_TAG,
        default="",
        db_default="",
        blank=True,
        editable=False,
        help_text=_("Stands beside the name. The database keeps it as the clan has it."),
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("account"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="players",
    )
    merged_into = models.ForeignKey(
        "self",
        verbose_name=_("merged into"),
        on_delete=models.PROTECT,
        null=True,
        editable=False,
        db_index=False,
        related_name="merged",
        help_text=_("Who acts, and is rated, in this player's place."),
    )
    merged_since = models.DateTimeField(
        _("merged since"),
        null=True,
        editable=False,
        help_text=_("Matches played before stay this player's own. Empty: none does."),
    )
    created_at = models.DateTimeField(_("created"), db_default=TransactionNow(), editable=False)

    objects = PlayerQuerySet.as_manager()
    # Of one object alone: the merged player by whom this one was named, in a request.
    named_as: int | None = None

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        ordering = ["id"]
        permissions = [
            ("merge_player", _("Can merge players")),
            ("move_player", _("Can give a player to another account")),
        ]
        constraints = [
            models.UniqueConstraint(
                "game",
                "external_id",
                name="player_external_id_unique_in_game",
                violation_error_message=_("This game already has a player with this id."),
            ),
            models.UniqueConstraint(
                "game",
                "user",
                condition=Q(user__isnull=False),
                name="player_one_per_account_and_game",
                violation_error_message=_("This account already has a player in this game."),
            ),
            models.UniqueConstraint(
                "game",
                "skeleton",
                condition=Q(user__isnull=False, holds_name=True),
                name="player_held_name_unique",
                violation_error_message=_("A name that looks like this one is taken."),
            ),
            models.CheckConstraint(
                condition=Q(user__isnull=True) | Q(kind=PlayerKind.PERSON),
                name="player_only_a_person_has_an_account",
            ),
            # Of two accounts only one can act as the player that both have become; the merge remembers the other.
            models.CheckConstraint(
                condition=Q(merged_into__isnull=True) | Q(user__isnull=True),
                name="player_merged_has_no_account",
            ),
            models.CheckConstraint(
                condition=~Q(merged_into=F("id")), name="player_not_merged_into_itself"
            ),
            models.CheckConstraint(
                condition=Q(merged_since__isnull=True) | Q(merged_into__isnull=False),
                name="player_merged_since_a_moment",
            ),
            models.CheckConstraint(condition=~Q(name=""), name="player_has_a_name"),
            models.CheckConstraint(
                condition=~Q(name__regex=INVISIBLE), name="player_name_can_be_shown"
            ),
        ]
        indexes = [
            # Whose name looks like this one, in the same game.
            models.Index(fields=["game", "skeleton"], name="player_alike"),
            # Few: who was merged into a player.
            models.Index(
                fields=["merged_into"],
                name="player_merged",
                condition=Q(merged_into__isnull=False),
            ),
            # Few: the list of names that look alike.
            models.Index(
                fields=["game", "skeleton", "id"],
                name="player_looks_alike",
                condition=Q(looks_alike=True),
            ),
            # Few: whoever plays is looked up here.
            models.Index(
                fields=["id"], name="player_archived", condition=Q(archived_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Address of the player's page."""
        return reverse("player", args=[self.pk])

    def call(self, name: str) -> None:
        """Give the player another name, with what follows from it; nothing is saved."""
        for column, value in name_columns(name).items():
            setattr(self, column, value)


class FormerName(models.Model):
    """What a player was called before, and until when. The database writes these rows itself, whoever renames."""

    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        related_name="former_names",
        editable=False,
    )
    name = models.CharField(_("name"), max_length=100, editable=False)
    until = models.DateTimeField(_("until"), db_default=TransactionNow(), editable=False)

    class Meta:
        verbose_name = _("former name")
        verbose_name_plural = _("former names")
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.name


class SearchKey(models.Model):
    """What a search finds a player by: one row a search key of the player. The database keeps these rows itself."""

    pk = models.CompositePrimaryKey("player_id", "place")
    player = models.ForeignKey(
        Player,
        on_delete=models.DO_NOTHING,
        related_name="+",
        db_index=False,
        db_constraint=False,  # the database has one of its own, by which the keys go with their player
    )
    game_id = models.BigIntegerField()
    # 0 is the whole name; the others begin further in.
    place = models.SmallIntegerField()
    key = models.TextField(db_collation="C")

    class Meta:
        indexes = [
            # In the order in which results are shown, so that the first page of "a" reads no more than a page.
            models.Index(
                fields=["key", "player"],
                name="search_whole_name",
                include=["game_id"],
                condition=Q(place=0),
            ),
            models.Index(
                fields=["key", "player"],
                name="search_inside_name",
                include=["game_id"],
                condition=Q(place__gt=0),
            ),
        ]
