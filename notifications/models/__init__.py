"""What players are told, by which ways they want it, and the browsers it is pushed to."""

from notifications.models.choices import AccountLanguage, Choice, QuietHours
from notifications.models.notices import Delivery, Notice, Sent, Way
from notifications.models.push import PushSubscription

__all__ = [
    "AccountLanguage",
    "Choice",
    "Delivery",
    "Notice",
    "PushSubscription",
    "QuietHours",
    "Sent",
    "Way",
]
