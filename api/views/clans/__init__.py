"""Clans: lists, founding one, and what is done in one."""

from api.views.clans import acts, lists

__all__ = ["acts", "lists"]
