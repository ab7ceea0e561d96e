"""Server keys and player tokens in the admin. A secret is on one page, once; it cannot be had from what is kept."""

from datetime import datetime
from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext_lazy as _

from accounts.audited_admin import AuditedAdmin, actor_of
from api.auth import credentials
from api.auth.issue import put_secret, revoke_key, revoke_token
from api.auth.scopes import SERVER_SCOPES, choices_of
from api.models import PlayerToken, ServerKey
from foundation import clock
from foundation.read_only_admin import BoundedPaginator, ModelForm


class NewKeyForm(ModelForm[ServerKey]):
    """A key that is to be made: its secret is drawn before the rules of the model are checked."""

    scopes = forms.MultipleChoiceField(
        label=_("scopes"),
        choices=choices_of(SERVER_SCOPES),
        initial=[scope.value for scope in SERVER_SCOPES],
        widget=forms.CheckboxSelectMultiple,
    )

    class Meta:
        model = ServerKey
        fields = ["game", "name", "scopes", "expires_at"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.secret = credentials.make_secret(credentials.SERVER)
        put_secret(self.instance, self.secret)

    def clean_expires_at(self) -> datetime | None:
        """Refuse the past."""
        expires_at: datetime | None = self.cleaned_data["expires_at"]
        if expires_at is not None and expires_at <= clock.now():
            raise forms.ValidationError(_("The expiry date must be in the future."))
        return expires_at


class RevokingForm(ModelForm[Any]):
    """What can be changed of a key or token that exists: its name, and that it ends."""

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
        kwargs["form"] = RevokingForm if change else NewKeyForm
        return super().get_form(request, obj, change=change, **kwargs)

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
class ServerKeyAdmin(HeldAdmin):
    """Keys of the games' servers."""

    list_display = ["name", "game", "begins_with", "last_used_at", "expires_at", "revoked_at"]
    list_filter = ["game", ("revoked_at", admin.EmptyFieldListFilter)]
    list_select_related = ["game"]
    fixed = ["game", "begins_with", "scopes", "created_at", "created_by", *HeldAdmin.fixed[3:]]

    def save_model(self, request: HttpRequest, obj: ServerKey, form: Any, change: bool) -> None:
        if not change:
            obj.created_by = actor_of(request)
            request.new_secret = form.secret.text  # type: ignore[attr-defined]
        super().save_model(request, obj, form, change)
        if form.cleaned_data.get("revoke"):
            revoke_key(obj)

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

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: PlayerToken, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if form.cleaned_data.get("revoke"):
            revoke_token(obj)
