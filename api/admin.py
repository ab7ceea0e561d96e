"""Server keys and player tokens in the admin. A secret is on one page, once; it cannot be had from what is kept."""

from datetime import datetime
from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, reverse
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext_lazy as _

from accounts.admin_actions import require
from accounts.audited_admin import AuditedAdmin, actor_of
from accounts.deletion import delete_with
from accounts.models import User
from api.auth import credentials
from api.auth.issue import put_secret, revoke_key, revoke_token
from api.auth.scopes import KEY_SCOPES, SERVER_SCOPES, Scope, choices_of
from api.models import PlayerToken, ServerKey
from api.models.keys import OF_ALL_GAMES
from api.site.deletion_pages import delete_account_page, delete_player_page
from foundation import clock
from foundation.read_only_admin import BoundedPaginator, ModelForm, own_pages
from ratings.admin.archiving import InUseChoices
from ratings.admin.players.annul_many import annul_chosen
from ratings.matches.revising.annul_many import Chosen
from ratings.models import Player
from ratings.players.own_matters import check_access_of, own_matter

# Nobody gets a key that may do more than they may themselves.
_SETS_UP = (
    "ratings.add_game",
    "ratings.change_game",
    "ratings.add_ladder",
    "ratings.change_ladder",
    "ratings.add_ratingtrack",
    "ratings.change_ratingtrack",
    "matchmaking.add_queue",
    "matchmaking.change_queue",
)


class NewKeyForm(ModelForm[ServerKey]):
    """A key that is to be made: its secret is drawn before the rules of the model are checked."""

    scopes = forms.MultipleChoiceField(
        label=_("scopes"),
        choices=choices_of(KEY_SCOPES),
        initial=[scope.value for scope in SERVER_SCOPES],
        widget=forms.CheckboxSelectMultiple,
        help_text=_(
            "“admin” is for what sets up games: it makes keys with all of the other scopes. Give it to nothing else."
        ),
    )

    class Meta:
        model = ServerKey
        fields = ["game", "name", "scopes", "expires_at"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.secret = credentials.make_secret(credentials.SERVER)
        put_secret(self.instance, self.secret)

    def clean(self) -> dict[str, Any]:
        """All games are for the scope `admin` alone."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("game") is None and cleaned.get("scopes", [""]) != [Scope.ADMIN.value]:
            self.add_error("game", OF_ALL_GAMES)
        return cleaned

    def clean_expires_at(self) -> datetime | None:
        """Refuse the past."""
        expires_at: datetime | None = self.cleaned_data["expires_at"]
        if expires_at is not None and expires_at <= clock.now():
            raise forms.ValidationError(_("The expiry date must be in the future."))
        return expires_at


class NewServerKeyForm(NewKeyForm):
    """The same for who may not do what a key that sets up games does."""

    scopes = forms.MultipleChoiceField(
        label=_("scopes"),
        choices=choices_of(SERVER_SCOPES),
        initial=[scope.value for scope in SERVER_SCOPES],
        widget=forms.CheckboxSelectMultiple,
    )


class RevokingForm(ModelForm[Any]):
    """What can be changed of a key or token that exists: its name, and that it ends. `by`: who changes it."""

    by: ClassVar[User | None] = None

    revoke = forms.BooleanField(
        label=_("Revoke now"),
        required=False,
        help_text=_("It stops working with the next request. This cannot be undone."),
    )
    note = forms.CharField(
        label=_("Why"), required=False, help_text=_("Kept in the audit log."), max_length=500
    )


class HeldAdmin(AuditedAdmin[Any]):
    """What both have in common. Nothing is deleted: a revoked key explains what it did."""

    actions = None
    paginator = BoundedPaginator
    show_full_result_count = False
    search_fields = ["=prefix", "name"]
    fixed = ["begins_with", "scopes", "created_at", "expires_at", "revoked_at", "last_used_at"]
    revoking = RevokingForm

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return [] if obj is None else self.fixed

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        if obj is None:
            return list(NewKeyForm.Meta.fields)
        ways = ["note"] if obj.revoked_at else ["revoke", "note"]
        return ["name", *self.fixed, *ways]

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> "type[forms.ModelForm[Any]]":
        adding = NewKeyForm if actor_of(request).has_perms(_SETS_UP) else NewServerKeyForm
        kwargs["form"] = self.revoking if change else adding
        form = super().get_form(request, obj, change=change, **kwargs)
        return type(form.__name__, (form,), {"by": actor_of(request)})

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def audited_names(self, form: Any, *, change: bool) -> list[str]:
        """That it ended, rather than that the box was ticked."""
        ended = ["revoked_at"] if form.cleaned_data.get("revoke") else []
        return ["name", *ended] if change else list(form.fields)

    @admin.display(description=_("begins with"))
    def begins_with(self, held: Any) -> str:
        """The part of the secret by which its holder knows it."""
        return f"em_{self.kind}_{held.prefix}_…"

    kind = credentials.SERVER


@admin.register(ServerKey)
class ServerKeyAdmin(InUseChoices, HeldAdmin):
    """Keys of the games' servers."""

    change_form_template = "admin/api/serverkey/change_form.html"
    list_display = ["name", "of_game", "begins_with", "last_used_at", "expires_at", "revoked_at"]
    list_filter = ["game", ("revoked_at", admin.EmptyFieldListFilter)]
    list_select_related = ["game"]
    fixed = [
        "game",
        "begins_with",
        "scopes",
        "created_at",
        "created_by",
        "issued_by",
        *HeldAdmin.fixed[3:],
    ]

    @admin.display(description=_("game"), ordering="game")
    def of_game(self, key: ServerKey) -> str:
        """The game, or that it is for all of them."""
        return str(key.game or _("all games"))

    def save_model(self, request: HttpRequest, obj: ServerKey, form: Any, change: bool) -> None:
        if not change:
            obj.created_by = actor_of(request)
            request.new_secret = form.secret.text  # type: ignore[attr-defined]
        super().save_model(request, obj, form, change)
        if form.cleaned_data.get("revoke"):
            revoke_key(obj)

    def get_urls(self) -> list[URLPattern]:
        """The page that annuls what a key's server has sent."""
        views = {"<id:pk>/annul/": ("api_serverkey_annul", annul_matches_of_key)}
        return own_pages(self.admin_site, views) + super().get_urls()

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        may_annul = actor_of(request).has_perm("ratings.change_match")
        context["can_annul"] = may_annul and kwargs.get("obj") is not None
        return super().render_change_form(request, context, *args, **kwargs)

    def response_add(
        self, request: HttpRequest, obj: ServerKey, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Show the secret, on this answer only."""
        context = {
            **self.admin_site.each_context(request),
            "title": _("The new server key"),
            "opts": self.opts,
            "key": obj,
            "secret": getattr(request, "new_secret", ""),
        }
        page = TemplateResponse(request, "admin/api/serverkey/made.html", context)
        add_never_cache_headers(page)
        return page


def annul_matches_of_key(request: HttpRequest, site: admin.AdminSite, pk: int) -> HttpResponse:
    """Choose matches whose results the server of a key gave, and annul them; for keys that somebody else had."""
    require(request, ["api.view_serverkey", "ratings.change_match"])
    key = get_object_or_404(ServerKey, pk=pk, game__isnull=False)
    page = reverse("admin:api_serverkey_change", args=[pk])
    return annul_chosen(request, site, key, Chosen(key=pk), key.game_id or 0, back=page)


class RevokingTokenForm(RevokingForm):
    """The same of a player's: not of whom the own player plays."""

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("revoke"):
            player, right = self.instance.player, "api.change_playertoken"
            players = {player.pk, player.merged_into_id or player.pk}
            words = own_matter(lambda: check_access_of(self.by, players, right=right))
            if words:
                raise forms.ValidationError(words)
        return cleaned


@admin.register(PlayerToken)
class PlayerTokenAdmin(HeldAdmin):
    """Tokens of players: made by themselves or by servers, revoked here in an emergency."""

    kind = credentials.PLAYER
    list_display = ["name", "player", "begins_with", "last_used_at", "expires_at", "revoked_at"]
    list_filter = [
        ("revoked_at", admin.EmptyFieldListFilter),
        ("issued_by", admin.EmptyFieldListFilter),
    ]
    list_select_related = ["player"]
    fixed = ["player", "issued_by", *HeldAdmin.fixed]

    revoking = RevokingTokenForm

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: PlayerToken, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if form.cleaned_data.get("revoke"):
            revoke_token(obj)


delete_with(User, delete_account_page)
delete_with(Player, delete_player_page)
