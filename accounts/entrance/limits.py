"""When somebody may try again who has reached one of the limits on guessing (`ACCOUNT_RATE_LIMITS`)."""

import math
import time

from allauth.core.internal import ratelimit
from django.core.cache import cache
from django.http import HttpRequest

__all__ = ["seconds_to_wait"]

_APP = "allauth.account"
# What the pages count, by their names.
_ACTIONS = {
    "account_login": ["login"],
    "account_signup": ["signup"],
    "account_reset_password": ["reset_password"],
    "account_reset_password_from_key": ["reset_link", "reset_password_from_key"],
    "account_confirm_email": ["confirm_link"],
    "account_reauthenticate": ["reauthenticate"],
    "account_change_password": ["change_password"],
    "account_set_password": ["change_password"],
    "account_email": ["manage_email"],
    "account-address-remove": ["manage_email"],
    "player-tokens": ["make_token"],
}
_USUAL = 60


def seconds_to_wait(request: HttpRequest) -> int:
    """Until none of the page's limits is reached any more; a minute where that cannot be found out."""
    page = request.resolver_match.url_name if request.resolver_match else ""
    waits = [
        _wait(request, action, rate)
        for action in _ACTIONS.get(page or "", [])
        for rate in ratelimit.get_rates(app=_APP, action=action)
    ]
    return max(1, math.ceil(max(waits, default=0.0))) if any(waits) else _USUAL


def _wait(request: HttpRequest, action: str, rate: ratelimit.Rate) -> float:
    if rate.per == "user" and not request.user.is_authenticated:
        return 0.0
    key = request.POST.get("email", "").strip().lower()  # to whom mail was asked for
    name = ratelimit.get_cache_key(request, app=_APP, action=action, rate=rate, key=key)
    now = time.time()
    counted = [moment for moment in cache.get(name, []) if moment > now - rate.duration]
    return min(counted) + rate.duration - now if len(counted) >= rate.amount else 0.0
