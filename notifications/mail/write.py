"""Writing a notice as a mail, in the moment in which it is sent."""

from email.utils import formataddr, parseaddr
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.utils import translation

from accounts.texts.current import SOFTWARE, site_texts
from notifications.mail.links import unsubscribe_link
from notifications.models import Notice
from notifications.preferences import language_of
from notifications.words import said
from ratings.models import Player

__all__ = ["write"]


def write(notice: Notice) -> EmailMessage | None:
    """The message to send; None where there is nothing to say, or nobody to say it to, any more."""
    player = Player.objects.select_related("user", "game", "merged_into__user").get(
        pk=notice.player_id
    )
    player = player.merged_into or player
    account = player.user
    if notice.read_at is not None or account is None or not account.is_active:
        return None
    addresses = EmailAddress.objects.filter(user=account, verified=True)
    address = addresses.order_by("-primary", "pk").values_list("email", flat=True).first()
    if address is None:
        return None
    with translation.override(language_of(account.pk) or settings.LANGUAGE_CODE):
        words = said([notice])
        if not words:
            return None
        called = site_texts().name()
        link = unsubscribe_link(player.pk, words[0].group)
        context = {
            "account": account,
            "player": player,
            "words": words[0].words,
            "link": settings.PUBLIC_URL + words[0].address,
            "unsubscribe": link,
            "site": called if called != SOFTWARE else settings.PUBLIC_URL,
        }
        subject = render_to_string("notifications/mail_subject.txt", context)
        body = render_to_string("notifications/mail.txt", context)
    name, sender = parseaddr(settings.DEFAULT_FROM_EMAIL)
    return EmailMessage(
        " ".join(subject.split()),
        body.strip() + "\n",
        from_email=formataddr((called if name == SOFTWARE else name, sender)),
        to=[address],
        headers={
            # The same for each attempt: a mail that was sent twice is shown once by many programs.
            "Message-ID": _number(notice),
            "List-Unsubscribe": f"<{link}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
    )


def _number(notice: Notice) -> str:
    host = urlsplit(settings.PUBLIC_URL).hostname or "localhost"
    stamp = f"{notice.created_at:%Y%m%d%H%M%S}"
    return f"<notice-{notice.pk}-{stamp}@{host}>"
