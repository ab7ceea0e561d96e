"""Mails in the admin: what waits, what was given up and why, and trying it anew."""

from typing import Any

from django.contrib import admin
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import audit
from accounts.admin_actions import AdminAction, NoteForm, carry_out, require
from accounts.mail import send
from accounts.models import Mail, User
from foundation.read_only_admin import ReadOnlyAdmin
from foundation.refusals import RefusedError


@admin.register(Mail)
class MailAdmin(ReadOnlyAdmin[Mail]):
    """What people are to get by mail, newest first."""

    change_form_template = "admin/accounts/mail/change_form.html"
    list_display = ["made_at", "kind", "address", "state", "attempts", "next_attempt", "trouble"]
    list_filter = ["state", "kind"]
    search_fields = ["=address"]
    search_help_text = gettext_lazy("A whole address.")
    sortable_by = ()

    @admin.display(description=gettext_lazy("next attempt"))
    def next_attempt(self, mail: Mail) -> Any:
        """Of a mail that waits."""
        return mail.next_attempt_at if mail.state == Mail.State.WAITING else None

    def get_urls(self) -> list[URLPattern]:
        retry = self.admin_site.admin_view(self.retry)
        return [path("<int:pk>/retry/", retry, name="accounts_mail_retry"), *super().get_urls()]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        mail = Mail.objects.filter(pk=object_id).first() if object_id.isdecimal() else None
        may = request.user.has_perm("accounts.change_mail")
        more = {"can_retry": may and mail is not None and mail.state == Mail.State.PARKED}
        return super().change_view(request, object_id, form_url, {**more, **(extra_context or {})})

    def retry(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Try a mail anew that was given up."""
        require(request, ["accounts.change_mail"])
        mail = get_object_or_404(Mail, pk=pk)
        admin_action = AdminAction(
            title=_("Try again"),
            button=_("Try again"),
            template="admin/accounts/mail/retry.html",
            act=lambda actor, given: _retry(mail, actor, given["note"]),
            back=reverse("admin:accounts_mail_change", args=[mail.pk]),
            form=NoteForm(request.POST or None),
            context={"is_impossible": mail.state != Mail.State.PARKED},
        )
        return carry_out(request, self.admin_site, mail, admin_action)


@transaction.atomic
def _retry(mail: Mail, actor: User, note: str) -> str:
    try:
        with transaction.atomic():
            is_again = send.retry(mail)
    except IntegrityError:  # of which one waits at a time
        raise RefusedError(
            _("The same mail has been asked for again and is already waiting to be sent.")
        ) from None
    if not is_again:
        raise RefusedError(_("Only mails that were given up can be tried again."))
    audit.record(actor=actor, action="mail.retried", target=mail, note=note)
    return _("It will be sent again within seconds.")
