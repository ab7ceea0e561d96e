"""Writing a mail, in the moment in which it is sent: links are made here and kept nowhere."""

from email.utils import formataddr, make_msgid, parseaddr
from typing import Any
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation

from accounts.entrance.links import link_to_reset
from accounts.models import Mail
from accounts.texts.current import SOFTWARE, site_texts

__all__ = ["write"]


def write(mail: Mail) -> EmailMessage | None:
    """The message to send; None where there is nothing to say any more."""
    with translation.override(mail.language):
        rows = EmailAddress.objects.select_related("user")
        link = settings.PUBLIC_URL + reverse("account_reset_password")
        context: dict[str, Any]
        if mail.kind == Mail.Kind.CONFIRM:
            address = rows.filter(user_id=mail.account_id, email=mail.address).first()
            if address is None or address.verified:
                return None
            name, context = "confirm", {"account": address.user}
            if (owner := rows.filter(email=mail.address, verified=True).first()) is not None:
                name, context = "taken", {**context, "owner": owner.user, "link": link}
            else:
                path = reverse("account_confirm_email", args=[EmailConfirmationHMAC(address).key])
                context["link"] = settings.PUBLIC_URL + path
                context["days"] = settings.ACCOUNT_EMAIL_CONFIRMATION_EXPIRE_DAYS
        elif mail.kind == Mail.Kind.RESET:
            address = rows.filter(email=mail.address, verified=True, user__is_active=True).first()
            if address is None:
                return None
            name, context = "reset", {"account": address.user, "link": link_to_reset(address.user)}
            context["hours"] = settings.PASSWORD_RESET_TIMEOUT // 3600
        else:  # what has happened, and what to do where it was somebody else
            name, context = "notice", {"account": mail.account, "kind": mail.kind, "link": link}
            context["detail"] = mail.detail
        context["site"] = settings.PUBLIC_URL
        called = site_texts().name()
        has_name = called != SOFTWARE
        context["called"] = called if has_name else ""
        # Where the site has a name, that is what it is called in subjects too.
        said = {**context, "site": called if has_name else settings.PUBLIC_URL}
        subject = render_to_string(f"account/email/{name}_subject.txt", said)
        body = render_to_string(f"account/email/{name}.txt", context)
    # Django would name it after the machine, which is often `localhost`: filters of spam mind.
    number = make_msgid(domain=urlsplit(settings.PUBLIC_URL).hostname)
    return EmailMessage(
        " ".join(subject.split()),
        body.strip() + "\n",
        from_email=_sender(called),
        to=[mail.address],
        headers={"Message-ID": number},
    )


def _sender(called: str) -> str:
    """As the settings say; where these call the sender by the software's name, it is called as the site is."""
    name, address = parseaddr(settings.DEFAULT_FROM_EMAIL)
    if name != SOFTWARE:
        return settings.DEFAULT_FROM_EMAIL
    return formataddr((called, address))
