"""Clans: lists, founding one, and what is done in one, and the clans of a ladder."""

from api.views.clans import acts, boards, lists

__all__ = ["acts", "boards", "lists"]
