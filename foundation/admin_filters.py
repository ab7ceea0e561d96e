"""Filters of the admin's lists."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters

__all__ = ["ChoiceFilter"]


class ChoiceFilter(admin.SimpleListFilter):
    """Refuses a value that is none of its choices, as Django refuses a filter that does not exist: the list would look
    filtered, and hold everything.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.value() and self.value() not in {str(key) for key, _name in self.lookup_choices}:
            raise IncorrectLookupParameters
