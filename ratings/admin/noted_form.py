"""The form of a row whose changes are explained, and whose numbers have ranges."""

from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar

from django import forms
from django.db import models
from django.utils.translation import gettext_lazy as _

from foundation.read_only_admin import ModelForm
from ratings.admin.fields import field_of
from ratings.admin.parameter_form import tidy

__all__ = ["NotedForm"]

Row = TypeVar("Row", bound=models.Model)


class NotedForm(ModelForm[Row]):
    """A row, and why it changes. `ranges`: the lowest and highest value by the name of a column."""

    ranges: ClassVar[Mapping[str, tuple[float, float]]] = {}

    note = forms.CharField(
        label=_("Note"),
        help_text=_("Why? Kept with the change."),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial = tidy(self.initial)
        for name, (low, high) in self.ranges.items():
            if name in self.fields:
                self.fields[name] = self.ranged(self._meta.model._meta.get_field(name), low, high)

    def ranged(self, column: Any, low: float, high: float) -> forms.Field:
        """Make the field of a column that has a range."""
        field = field_of(column, low=low, high=high)
        field.required = not column.blank
        field.initial = tidy({column.name: column.get_default()})[column.name]
        return field
