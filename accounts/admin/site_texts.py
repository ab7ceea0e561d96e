"""The site's own texts in the admin: written version by version, with a preview; and what the site keeps."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, reverse
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.admin_actions import require
from accounts.audited_admin import actor_of
from accounts.models import Consent, SiteText
from accounts.texts.models import LONGEST_NAME, LONGEST_TEXT
from accounts.texts.retention import what_is_kept, with_retention
from accounts.texts.starting import left_open, starting_text
from accounts.texts.write import ChangedMeanwhileError, all_newest, newest, write
from foundation.read_only_admin import ReadOnlyAdmin, own_pages

__all__ = ["ConsentAdmin", "SiteTextAdmin"]

MAY_WRITE = "accounts.add_sitetext"


class TextForm(forms.Form):
    """A new version of a text."""

    seen = forms.IntegerField(widget=forms.HiddenInput, min_value=0)
    text = forms.CharField(
        label=gettext_lazy("Text"),
        max_length=LONGEST_TEXT,
        required=False,
        widget=forms.Textarea(attrs={"rows": 24, "cols": 90}),
        help_text=gettext_lazy(
            "Markdown: ## before a heading, - before an item, [words](address) for a link; no HTML. [kept] on a line of"
            " its own is the table of what this site keeps. Empty: the page is taken down."
        ),
    )
    asks_again = forms.BooleanField(
        label=gettext_lazy("Everybody is asked again"),
        required=False,
        help_text=gettext_lazy(
            "Accounts that have not accepted this version do so before they search or join a party on the pages of this"
            " site. Write all languages first, and tick it with the last of them."
        ),
    )
    note = forms.CharField(
        label=gettext_lazy("What has changed"),
        help_text=gettext_lazy("Kept in the audit log, with your name."),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 2, "cols": 60}),
    )

    def __init__(self, kind: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kind = kind
        if kind != SiteText.Kind.RULES:
            del self.fields["asks_again"]
        if kind == SiteText.Kind.NAME:
            self.fields["text"] = forms.CharField(
                label=_("Name of the site"),
                max_length=LONGEST_NAME,
                required=False,
                help_text=_(
                    "In the header and the title of every page, and in mails. Empty: Evenmatch."
                ),
            )

    def clean_text(self) -> str:
        """Nothing that only the operator knows may be left open."""
        text: str = self.cleaned_data["text"]
        if self.kind == SiteText.Kind.NAME:  # it stands in the heads of mails: one line
            text = " ".join(text.split())
        if found := left_open(text):
            words = _("Fill in or delete what stands in double brackets: %(open)s")
            raise ValidationError(words % {"open": ", ".join(found)})
        return text

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("asks_again") and not cleaned.get("text"):
            self.add_error("asks_again", _("Nobody can accept rules that are taken down."))
        return cleaned


@admin.register(SiteText)
class SiteTextAdmin(ReadOnlyAdmin[SiteText]):
    """All versions, the newest first. What was written stays as it is; a new version is written beside."""

    change_list_template = "admin/accounts/sitetext/change_list.html"
    list_display = [
        "kind",
        "language",
        "version",
        "written_at",
        "written_by",
        "asks_again",
        "begins",
    ]
    list_filter = ["kind", "language"]
    list_select_related = ["written_by"]
    sortable_by = ()
    fields = ["kind", "language", "version", "text", "asks_again", "written_at", "written_by"]

    @admin.display(description=gettext_lazy("text"))
    def begins(self, text: SiteText) -> str:
        """How it begins; a page that was taken down says so."""
        return Truncator(text.text).chars(60) or _("(taken down)")

    def get_urls(self) -> list[URLPattern]:
        """Writing one, and what is kept for how long."""
        views: dict[str, tuple[str, Callable[..., HttpResponse]]] = {
            "write/<slug:kind>/<slug:language>/": ("accounts_sitetext_write", write_text),
            "kept/": ("accounts_sitetext_kept", kept),
        }
        return own_pages(self.admin_site, views) + super().get_urls()

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        found = all_newest()
        texts = [
            (kind, [(code, name, found.get((kind, code))) for code, name in settings.LANGUAGES])
            for kind in SiteText.Kind
        ]
        more = {
            "title": _("Texts of the site"),
            "texts": texts,
            "can_write": request.user.has_perm(MAY_WRITE),
        }
        return super().changelist_view(request, {**more, **(extra_context or {})})


@admin.register(Consent)
class ConsentAdmin(ReadOnlyAdmin[Consent]):
    """Who accepted which rules, and when."""

    list_display = ["account", "text", "version", "given_at"]
    list_select_related = ["account", "text"]
    search_fields = ["=account__username"]
    search_help_text = gettext_lazy("An account's whole name.")
    sortable_by = ()
    fields = ["account", "text", "version", "given_at"]

    def has_delete_permission(self, request: HttpRequest, obj: Consent | None = None) -> bool:
        """With its account, for whoever may delete that, and in no other way."""
        match = request.resolver_match
        return match is not None and match.url_name == "accounts_user_delete"


def write_text(
    request: HttpRequest, site: admin.AdminSite, kind: str, language: str
) -> HttpResponse:
    """Write a new version of a text, and look at it before it is saved."""
    require(request, [MAY_WRITE])
    if kind not in SiteText.Kind.values or language not in dict(settings.LANGUAGES):
        raise Http404
    before = newest(kind, language)
    given = {"text": before.text if before else "", "seen": before.version if before else 0}
    if "start" in request.GET:
        given["text"] = starting_text(kind, language)
    form = TextForm(kind, request.POST if request.method == "POST" else None, initial=given)
    preview = ""
    if request.method == "POST":
        is_valid = form.is_valid()
        if "preview" in request.POST:
            preview = with_retention(request.POST.get("text", "")[:LONGEST_TEXT], language)
        elif is_valid:
            said = form.cleaned_data
            try:
                write(
                    kind=SiteText.Kind(kind),
                    language=language,
                    text=said["text"],
                    by=actor_of(request),
                    seen=said["seen"],
                    asks_again=said.get("asks_again", False),
                    note=said["note"],
                )
            except ChangedMeanwhileError as error:
                form.add_error(None, str(error))
            else:
                messages.success(request, _("Saved. It is on all pages within seconds."))
                return HttpResponseRedirect(reverse("admin:accounts_sitetext_changelist"))
    context = {
        **site.each_context(request),
        "title": f"{SiteText.Kind(kind).label} ({dict(settings.LANGUAGES)[language]})",
        "opts": SiteText._meta,
        "form": form,
        "preview": preview,
        "language": language,
        "can_start": kind != SiteText.Kind.NAME,
        "may_accept": kind == SiteText.Kind.RULES,
    }
    return TemplateResponse(request, "admin/accounts/sitetext/write.html", context)


def kept(request: HttpRequest, site: admin.AdminSite) -> HttpResponse:
    """What this site keeps, for how long, and where that is changed."""
    require(request, ["accounts.view_sitetext"])
    context = {
        **site.each_context(request),
        "title": _("What is kept, and for how long"),
        "opts": SiteText._meta,
        "rows": what_is_kept(),
    }
    return TemplateResponse(request, "admin/accounts/sitetext/kept.html", context)
