"""Links of the admin's forms to what a thing belongs to: only for those who may look at that."""

from functools import partial

from django.contrib.admin import helpers
from django.db.models import ForeignObjectRel, Model
from django.http import HttpRequest
from django.template.response import TemplateResponse

from accounts.audited_admin import may_see

__all__ = ["link_for", "link_only_what_opens"]

_MAY_SEE = "may_see"


class _ReadOnlyField(helpers.AdminReadonlyField):
    """Django links to the page of a thing whoever reads."""

    def get_admin_url(self, remote_field: ForeignObjectRel, remote_obj: Model) -> str:
        sees = getattr(self.form, _MAY_SEE, None)
        if sees is not None and not sees(remote_obj._meta.label_lower):
            return str(remote_obj)
        return super().get_admin_url(remote_field, remote_obj)


def link_only_what_opens() -> None:
    """Let forms link by the rights of whoever reads them, where `link_for` has told of these."""
    setattr(helpers, "AdminReadonlyField", _ReadOnlyField)  # noqa: B010 - for mypy


def link_for(request: HttpRequest, answer: TemplateResponse) -> None:
    """Tell the forms of a page, those of its inlines too, who reads it."""
    shown = answer.context_data or {}
    page, inlines = shown.get("adminform"), shown.get("inline_admin_formsets", ())
    forms = [page.form] if isinstance(page, helpers.AdminForm) else []
    for form in [*forms, *(form for inline in inlines for form in inline.formset.forms)]:
        setattr(form, _MAY_SEE, partial(may_see, request))
