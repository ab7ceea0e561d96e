"""What the actions have in common: who may act, and refusals as messages. See `accounts.page_actions`."""

from accounts.page_actions import (
    account_of,
    action,
    for_those_who_accept,
    number_in,
    refusals_as_messages,
)

__all__ = [
    "account_of",
    "action",
    "for_those_who_accept",
    "number_in",
    "refusals_as_messages",
]
