"""Players: found by name or id, corrected, and looked at with their ratings."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeVar

from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.db.models import F, Func, IntegerField, Model, Q, QuerySet, Value
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.audited_admin import AuditedAdmin, actor_of, may_see
from accounts.deletion import DeletesPersons
from accounts.models import User
from foundation.admin_filters import ChoiceFilter
from foundation.read_only_admin import BoundedPaginator, ModelForm, ReadOnlyAdmin, own_pages
from ratings.admin.archiving import InUseChoices
from ratings.admin.filters import with_points
from ratings.admin.players.annul_many import annul_matches_of
from ratings.admin.players.merging import MAY_MERGE, MAY_MOVE, merge_one, unmerge_one
from ratings.admin.players.moving import move_one
from ratings.models import Player, PlayerKind, PlayerMerge, RatingChange, TrackState
from ratings.players.accounts import check_move, why_not
from ratings.players.claim import BadNameError, check_living, colliding, with_refused_words
from ratings.players.own_matters import check_not_own, met_by, own_matter
from ratings.players.search import find_cursors
from ratings.players.site_ids import is_deleted, say_deleted
from ratings.sanctions import in_force
from ratings.sanctions.kept import carry_kept

__all__ = [
    "PlayerAdmin",
    "PlayersRowsAdmin",
    "Presence",
    "find_players",
    "show_presence_with",
]

M = TypeVar("M", bound=Model)
LARGEST_ID = 2**63 - 1
RECENT = 20
MOST_FOUND = 500

# What a player is doing right now, as text of the page.
Presence = Callable[[HttpRequest, Player], str]
_presences: list[Presence] = []


def show_presence_with(presence: Presence) -> None:
    """Let `presence` say on a player's page what the player is doing: apps above this one know of searches."""
    _presences.append(presence)


def find_players(text: str) -> QuerySet[Player]:
    """Return the players whose id in the game or number `text` is, then those whose names hold words that begin so:
    the best fitting first, and no more than a person reads.
    """
    text = text.strip().replace("\0", "")
    own = Q(external_id=text)
    if text.isdecimal() and int(text) <= LARGEST_ID:
        own |= Q(pk=int(text))
    exact = Player.objects.filter(own).order_by("pk")
    ids = [*exact.values_list("pk", flat=True)[:MOST_FOUND]]
    ids += [found.player_id for found in find_cursors(text, limit=MOST_FOUND)]
    best = Func(Value(ids), F("pk"), function="array_position", output_field=IntegerField())
    return Player.objects.filter(pk__in=ids).order_by(best)


class PlayersRowsAdmin(ReadOnlyAdmin[M]):
    """Rows that belong to a player and a track each, found by the player."""

    list_select_related = ["track__ladder", "player"]
    search_fields = ["player__name"]
    search_help_text = gettext_lazy(
        "Beginning of a player's name, or a player's number or id in the game."
    )

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[M], search_term: str
    ) -> tuple[QuerySet[M], bool]:
        if not search_term.strip():
            return queryset, False
        return queryset.filter(player__in=find_players(search_term).values("pk")), False


_MAY_CHANGE = "ratings.change_player"


class PlayerForm(ModelForm[Player]):
    """Cleans the name, and keeps what follows from it in step."""

    by: ClassVar[User | None] = None

    class Meta:
        model = Player
        fields = ["game", "external_id", "name", "name_locked", "user"]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if "name" in cleaned:
            self.instance.call(cleaned["name"])
            cleaned["name"] = self.instance.name
            if "name" in self.changed_data:
                try:
                    check_living(cleaned["name"])
                except BadNameError as error:
                    self.add_error("name", ValidationError(str(error)))
            # A claimed name may not look like another claimed name of the game.
            game = cleaned.get("game") or getattr(self.instance, "game", None)
            if cleaned.get("user", self.instance.user) is not None and game is not None:
                claimed = Player.objects.filter(
                    game=game, skeleton=self.instance.skeleton, user__isnull=False
                )
                self.instance.holds_name = True
                if claimed.exclude(pk=self.instance.pk).exists():
                    text = _("A name that looks like this one is taken.")
                    self.add_error("name", ValidationError(text))
        if self.instance.pk is not None:
            self._check_known(cleaned)
        return cleaned

    def _check_known(self, cleaned: Mapping[str, Any]) -> None:
        """What the database would refuse of a player that exists, and what somebody else decides. Game and kind are
        no fields then, so Django does not look at the constraints with them.
        """
        others = Player.objects.filter(game=self.instance.game_id).exclude(pk=self.instance.pk)
        external_id, user = cleaned.get("external_id"), cleaned.get("user")
        if external_id and others.filter(external_id=external_id).exists():
            self.add_error("external_id", ValidationError(_("Another player has this id.")))
        if user is not None and others.filter(user=user).exists():
            words = _("This account already has a player in this game.")
            self.add_error("user", ValidationError(words))
        if user is not None and self.instance.kind != PlayerKind.PERSON:
            self.add_error("user", ValidationError(_("Only a person can have an account.")))
        if user is not None and not self.errors and (reason := why_not(self.instance, user)):
            self.add_error("user", ValidationError(reason))
        if words := self._own_matter(user):
            self.add_error("user", ValidationError(words))
        # Whoever is known by another id reports nothing.
        counts_as = self.instance.merged_into_id
        concerned = {self.instance.pk, *met_by(self.instance.pk)}
        if counts_as is not None:  # what is reported under its id is the other's
            concerned |= {counts_as, *met_by(counts_as)}
        words = own_matter(lambda: check_not_own(self.by, concerned, right=_MAY_CHANGE))
        for name in ("external_id", "name"):
            if words and name in self.changed_data:
                self.add_error(name, ValidationError(words))

    def _own_matter(self, to: User | None) -> str:
        """Why whoever asks can neither have the player nor move it; nothing where they can, or it stays."""
        if "user" not in self.changed_data:
            return ""
        return own_matter(lambda: check_move(self.by, self.instance.pk, to=to))


class LookAlikeFilter(ChoiceFilter):
    """Names that a person could mistake for each other."""

    title = gettext_lazy("names that look alike")
    parameter_name = "alike"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [
            ("accounts", gettext_lazy("Of several accounts of a game")),
            ("any", gettext_lazy("Of any players of a game")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Player]) -> QuerySet[Player]:
        chosen = self.value()
        if chosen == "any":
            return queryset.filter(looks_alike=True)
        if chosen == "accounts":
            return colliding(queryset)
        return queryset


class RefusedWordsFilter(ChoiceFilter):
    """Names that games have brought with words that players may not choose."""

    title = gettext_lazy("names with refused words")
    parameter_name = "refused"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("1", gettext_lazy("Only these"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Player]) -> QuerySet[Player]:
        return with_refused_words(queryset) if self.value() == "1" else queryset


@admin.register(Player)
class PlayerAdmin(DeletesPersons, InUseChoices, AuditedAdmin[Player]):
    """The row of a player stays for good, for the ledger of others depends on the games: deleting empties it."""

    form = PlayerForm
    change_form_template = "admin/ratings/players/change_form.html"
    list_display = ["name", "looks_alike", "game", "external_id", "kind", "user", "created_at"]
    list_filter = [LookAlikeFilter, RefusedWordsFilter, "name_locked", "game", "kind"]
    list_select_related = ["game", "user"]
    list_per_page = 50
    search_fields = ["name"]
    search_help_text = gettext_lazy(
        "Beginning of a word of the name, or a number or id in the game."
    )
    autocomplete_fields = ["user"]
    fields = ["game", "external_id", "name", "name_locked", "user", "kind", "created_at"]
    actions = None
    paginator = BoundedPaginator
    show_full_result_count = False
    sortable_by = ()

    def get_readonly_fields(self, request: HttpRequest, obj: Player | None = None) -> list[str]:
        fixed = ["kind", "created_at"]
        if not actor_of(request).is_superuser:
            fixed.append("user")  # a player's account plays, speaks and makes tokens as that player
            if obj:  # and so does whoever the game calls by its id; under another one a suspension is left behind
                fixed.append("external_id")
        return ["game", *fixed] if obj else fixed

    def get_form(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        form = super().get_form(request, *args, **kwargs)
        return type(form.__name__, (form,), {"by": actor_of(request)})

    def get_ordering(self, request: HttpRequest) -> Any:
        alike = LookAlikeFilter.parameter_name in request.GET
        return ["game_id", "skeleton", "pk"] if alike else super().get_ordering(request)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Player], search_term: str
    ) -> tuple[QuerySet[Player], bool]:
        if not search_term.strip():
            return queryset, False
        found = find_players(search_term)
        return queryset.filter(pk__in=found.values("pk")).order_by(*found.query.order_by), False

    def get_urls(self) -> list[URLPattern]:
        """Annulling a player's matches, merging and unmerging, and moving to another account."""
        own = {
            "<id:pk>/annul/": ("ratings_player_annul", annul_matches_of),
            "<id:pk>/merge/": ("ratings_player_merge", merge_one),
            "<id:pk>/unmerge/": ("ratings_player_unmerge", unmerge_one),
            "<id:pk>/move/": ("ratings_player_move", move_one),
        }
        return own_pages(self.admin_site, own) + super().get_urls()

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """What the form could not foresee, because somebody else was at it at this moment, is told as well."""
        try:
            return super().changeform_view(request, *args, **kwargs)
        except IntegrityError as error:
            if "player_" not in str(error):  # names of its constraints
                raise
            words = _(
                "Somebody else has changed a player of this game at the same moment, so nothing was saved. Look again."
            )
            messages.error(request, words)
            return HttpResponseRedirect(request.get_full_path())

    def save_model(self, request: HttpRequest, obj: Player, form: PlayerForm, change: bool) -> None:
        """Whoever comes to an id of somebody deleted comes to the suspension that is kept for it, too."""
        super().save_model(request, obj, form, change)
        if obj.external_id and "external_id" in form.changed_data:
            carry_kept(obj.game_id, {obj.external_id: obj.pk})

    def has_change_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """Of an own player neither name and lock nor id and account: its owner renames it as every player does. Of one
        who was deleted nothing: it would come back.
        """
        may = super().has_change_permission(request, obj)
        return may and (obj is None or not (is_deleted(obj) or _own_matter(request, obj)))

    def has_delete_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        may = super().has_delete_permission(request, obj)
        return may and (obj is None or not is_deleted(obj))

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        player = kwargs.get("obj")
        if player is not None:
            # The player's ratings, and the latest changes of them; two queries. Not what a replay has replaced: that
            # is from before matches were annulled, corrected, or counted for another.
            rated = player.ratings.filter(track__state=TrackState.LIVE)
            rated = rated.select_related("track__ladder").order_by("track_id", "facet")
            staff = actor_of(request)
            ratings = [one for one in rated if one.track.ladder.shows_ratings_to(staff)]
            changes = RatingChange.objects.filter(
                player=player, track__in=[rating.track_id for rating in ratings]
            )
            context["ratings"] = ratings
            context["own_matter"] = super().has_change_permission(request) and _own_matter(
                request, player
            )
            context["changes"] = list(with_points(changes).order_by("-id")[:RECENT])
            if may_see(request, "ratings.sanction"):
                context["sanctions"] = in_force().filter(player=player)
            context["former_names"] = list(player.former_names.all()[:RECENT])
            for name in ("match", "ratingchange", "ratingtrack"):
                context[f"sees_{name}"] = may_see(request, f"ratings.{name}")
            context["can_annul"] = staff.has_perm("ratings.change_match")
            context["deleted"] = say_deleted(player)
            is_open = player.merged_into_id is None and not context["deleted"]
            context["can_sanction"] = staff.has_perm("ratings.add_sanction") and is_open
            context["can_unmerge"] = staff.has_perm(MAY_MERGE)
            context["can_merge"] = staff.has_perm(MAY_MERGE) and is_open
            context["can_move"] = staff.has_perm(MAY_MOVE) and is_open
            # Where it counts, and who counts for it; what has been taken back is told by the audit log.
            merges = PlayerMerge.objects.filter(undone_at=None)
            concerned = merges.filter(Q(merged=player) | Q(into=player))
            context["merges"] = list(concerned.select_related("merged", "into", "by"))
            context["presences"] = [presence(request, player) for presence in _presences]
        return super().render_change_form(request, context, *args, **kwargs)


def _own_matter(request: HttpRequest, player: Player) -> str:
    return own_matter(lambda: check_not_own(actor_of(request), [player.pk], right=_MAY_CHANGE))
