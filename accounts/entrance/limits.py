"""When somebody may try again who has reached one of the limits on guessing (`ACCOUNT_RATE_LIMITS`).

Attempts are kept by the time of the clock. Those of a clock that ran ahead would count until that time has come.
"""

import math
import time

from allauth.core.internal import ratelimit
from django.core.cache import cache
from django.http import HttpRequest

__all__ = ["forget_the_future", "seconds_to_wait"]

_APP = "allauth.account"
# What the pages count, by their names.
_ACTIONS = {
    "account_login": ["login"],
    "account_signup": ["signup"],
    "account_reset_password": ["reset_password"],
    "account_reset_password_from_key": ["reset_link", "reset_password_from_key"],
    "account_confirm_email": ["confirm_link"],
    "account_reauthenticate": ["reauthenticate"],
    "mfa_reauthenticate": ["reauthenticate"],
    "mfa_reauthenticate_webauthn": ["reauthenticate"],
    "account_change_password": ["change_password"],
    "account_set_password": ["change_password"],
    "account_email": ["manage_email"],
    "account-address-remove": ["manage_email"],
    "player-tokens": ["make_token"],
}
_USUAL = 60
_AHEAD = 60.0  # seconds by which clocks of several machines may differ

_allauths = ratelimit.apply_rate


def forget_the_future() -> None:
    """Let django-allauth count no attempt of a time that has not come."""
    ratelimit.apply_rate = _apply_rate


def _apply_rate(
    history: list[float], now: float, rate: ratelimit.Rate, *, dry_run: bool = False
) -> tuple[bool, list[float]]:
    return _allauths(_past(history, now), now, rate, dry_run=dry_run)


def _past(history: list[float], now: float) -> list[float]:
    return [moment for moment in history if moment <= now + _AHEAD]


def seconds_to_wait(request: HttpRequest) -> int:
    """Until none of the page's limits is reached any more; a minute where that cannot be found out."""
    page = request.resolver_match.url_name if request.resolver_match else ""
    waits = []
    for action in _ACTIONS.get(page or "", []):
        for rate in ratelimit.get_rates(app=_APP, action=action):
            if rate.per == "user" and not request.user.is_authenticated:
                continue
            key = request.POST.get("email", "").strip().lower()  # the recipient of the mail
            name = ratelimit.get_cache_key(request, app=_APP, action=action, rate=rate, key=key)
            now = time.time()
            known = _past(cache.get(name, []), now)
            counted = [moment for moment in known if moment > now - rate.duration]
            if len(counted) >= rate.amount:
                waits.append(min(counted) + rate.duration - now)
    return max(1, math.ceil(max(waits))) if any(waits) else _USUAL
