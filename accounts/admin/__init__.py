"""Accounts, their addresses and groups, mails and the audit log in the admin."""

from accounts.admin import addresses, groups, log, mails, users

__all__ = ["addresses", "groups", "log", "mails", "users"]
