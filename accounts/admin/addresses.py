"""E-mail addresses in the admin: a confirmed one is a key to its account."""

from functools import partial
from typing import Any, ClassVar

import allauth.account.admin
import allauth.mfa.admin
import allauth.usersessions.admin  # noqa: F401
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from accounts.admin.groups import SuperuserChanges
from accounts.audited_admin import actor_of
from accounts.deletion import deletion_of_account
from accounts.models import User
from accounts.own_matters import OwnMatterError, check_access, own_matter
from foundation.read_only_admin import BoundedPaginator, ModelForm

admin.site.unregister(EmailAddress)
admin.site.unregister(Authenticator)  # it shows what only its owner's app may know
admin.site.unregister(UserSession)  # a filter on their keys would find out what signs others in


class AddressForm(ModelForm[EmailAddress]):
    """Says in words what the constraints of allauth's table would say by their names. `by`: who changes it."""

    by: ClassVar[User | None] = None

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        others = EmailAddress.objects.exclude(pk=self.instance.pk)
        address, user = (cleaned.get("email") or "").lower(), cleaned.get("user")
        if user and deletion_of_account(user) is not None:
            self.add_error("user", _("This account was deleted, and gets no address again."))
        if user and others.filter(email=address, user=user).exists():
            self.add_error("email", _("This account has this address already."))
        elif cleaned.get("verified") and others.filter(email=address, verified=True).exists():
            self.add_error("email", _("Another account has confirmed this address already."))
        if cleaned.get("primary") and user and others.filter(user=user, primary=True).exists():
            self.add_error("primary", _("Another address of this account is its first one."))
        before = None if self.instance.pk is None else self.instance.user
        owners: list[User] = [one for one in (user, before) if one and self.changed_data]
        for owner in owners:
            if words := own_matter(partial(check_access, self.by, owner, None)):
                raise ValidationError(words)
        return cleaned


@admin.register(EmailAddress)
class EmailAddressAdmin(SuperuserChanges):
    """Which account has which address, and whether it has been confirmed."""

    form = AddressForm
    list_display = ["email", "user", "primary", "verified"]
    list_filter = ["primary", "verified"]
    list_select_related = ["user"]
    raw_id_fields = ["user"]
    search_fields = ["email", "user__username"]
    paginator = BoundedPaginator
    show_full_result_count = False

    def get_form(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        form = super().get_form(request, *args, **kwargs)
        return type(form.__name__, (form,), {"by": actor_of(request)})

    def delete_model(self, request: HttpRequest, obj: EmailAddress) -> None:
        check_access(actor_of(request), obj.user, None)
        super().delete_model(request, obj)

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        try:
            return super().delete_view(request, object_id, extra_context)
        except OwnMatterError as error:
            messages.error(request, str(error))
            return redirect("admin:account_emailaddress_change", object_id)
