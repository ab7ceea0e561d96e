"""Groups: lists, making one, what is done in one, suggestions and random groups."""

from api.views.groups import acts, lists, wishes

__all__ = ["acts", "lists", "wishes"]
