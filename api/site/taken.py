"""What is taken out of the site with a person, counted while it is done."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from django.apps import apps
from django.db.models import Model, QuerySet

__all__ = ["Taken"]


@dataclass(slots=True)
class Taken:
    """What is taken out of the site, or would be.

    players   ids of those that are taken out, and stay under a number
    renamed   names and ids in games, and what takes their place
    deleted   rows that go, by model
    replaced  rows that stay without what they tell of the person, by model
    usual     names that are usual words, and so not looked for in words about others
    """

    players: list[int] = field(default_factory=list)
    renamed: list[tuple[str, str]] = field(default_factory=list)
    deleted: Counter[type[Model]] = field(default_factory=Counter)
    replaced: Counter[type[Model]] = field(default_factory=Counter)
    usual: list[str] = field(default_factory=list)

    def delete(self, rows: QuerySet[Any]) -> None:
        """Delete these, and what goes with them."""
        for label, number in rows.delete()[1].items():
            self.deleted[apps.get_model(label)] += number

    def replace(self, rows: QuerySet[Any], **columns: Any) -> None:
        """Let these columns of those rows that hold something else tell nothing."""
        self.replaced[rows.model] += rows.exclude(**columns).update(**columns)
