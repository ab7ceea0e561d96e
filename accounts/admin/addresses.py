"""E-mail addresses in the admin: a confirmed one is a key to its account."""

from typing import Any

import allauth.account.admin
import allauth.mfa.admin
import allauth.usersessions.admin  # noqa: F401
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.utils.translation import gettext as _

from accounts.admin.groups import SuperuserChanges
from foundation.read_only_admin import BoundedPaginator, ModelForm

admin.site.unregister(EmailAddress)
admin.site.unregister(Authenticator)  # it shows what only its owner's app may know
admin.site.unregister(UserSession)  # a filter on their keys would find out what signs others in


class AddressForm(ModelForm[EmailAddress]):
    """Says in words what the constraints of allauth's table would say by their names."""

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        others = EmailAddress.objects.exclude(pk=self.instance.pk)
        address, user = (cleaned.get("email") or "").lower(), cleaned.get("user")
        if user and others.filter(email=address, user=user).exists():
            self.add_error("email", _("This account has this address already."))
        elif cleaned.get("verified") and others.filter(email=address, verified=True).exists():
            self.add_error("email", _("Another account has confirmed this address already."))
        if cleaned.get("primary") and user and others.filter(user=user, primary=True).exists():
            self.add_error("primary", _("Another address of this account is its first one."))
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
