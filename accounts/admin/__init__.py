"""Accounts, their addresses and groups, mails, the audit log and the site's texts in the admin."""

from accounts.admin import access, addresses, failures, groups, log, mails, site_texts, users

__all__ = [
    "access",
    "addresses",
    "failures",
    "groups",
    "log",
    "mails",
    "site_texts",
    "users",
]
