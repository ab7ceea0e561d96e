"""Queues: made with what suits their ladder, and changed."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from accounts import audit
from accounts.audited_admin import snapshot
from accounts.audited_changes import change_columns
from accounts.models import User
from matchmaking.models import Queue
from matchmaking.models.queues import GAPS
from matchmaking.pairing.settings import Settings
from matchmaking.queues.defaults import begin_as_suits
from matchmaking.queues.settings import settings_of
from ratings.archiving import ArchivedError
from ratings.ladders.refusals import FixedError
from ratings.models import Ladder

__all__ = ["COLUMNS", "add_queue", "change_queue", "obtain_queue"]

# What of a queue can be said when it is made, and changed later.
COLUMNS = (
    "name",
    "is_open",
    "strategy",
    *GAPS,
    "accept_seconds",
    "accepts_by_itself",
    "heartbeat_seconds",
    "idle_seconds",
    "still_there_seconds",
    "partner_seconds",
    "partner_answer_seconds",
)
_RECORDED = ("ladder", "slug", *COLUMNS, "settings")
Sections = Mapping[str, Mapping[str, Any]]


@transaction.atomic
def add_queue(
    *,
    ladder: Ladder,
    slug: str,
    columns: Mapping[str, Any],
    settings: Sections,
    actor: User | None = None,
) -> Queue:
    """Let players of a ladder search for matches. What is not given suits the scale of its ratings, and its teams.

    columns   values by the names in COLUMNS
    settings  parameters by section and name

    Raises ParameterError for what is wrong in `settings`, ValidationError.
    """
    queue = Queue(ladder=ladder, slug=slug, name=ladder.name)
    queue.strategy = columns.get("strategy", "filters")
    Settings.build(queue.strategy, settings)
    begin_as_suits(queue, settings)
    for name, value in columns.items():
        setattr(queue, name, value)
    queue.full_clean()
    queue.save(force_insert=True)
    audit.record(actor=actor, action="queue.added", target=queue, after=snapshot(queue, _RECORDED))
    return queue


@transaction.atomic
def change_queue(
    queue: Queue,
    *,
    columns: Mapping[str, Any],
    settings: Sections,
    actor: User | None,
    note: str = "",
) -> None:
    """Change columns and parameters, given as to `add_queue`; what is not given stays. Raises as that does."""
    held = Queue.objects.select_for_update(no_key=True).get(pk=queue.pk)
    values = settings_of(held).as_dict()
    strategy = columns.get("strategy", held.strategy)
    for section, chosen in settings.items():
        values[section] = {**values.get(section, {}), **chosen}
    built = Settings.build(strategy, values)
    built.check_team(queue.ladder.team_size)
    changed = dict(columns)
    partner_seconds = changed.get("partner_seconds", held.partner_seconds)
    Queue(ladder=queue.ladder, partner_seconds=partner_seconds).clean()
    if settings:
        changed["settings"] = built.different()
    change_columns(held, changed, actor=actor, note=note)
    queue.refresh_from_db()


@transaction.atomic
def obtain_queue(
    ladder: Ladder,
    slug: str,
    *,
    columns: Mapping[str, Any],
    settings: Sections,
    actor: User | None,
    note: str = "",
) -> tuple[Queue, bool]:
    """The queue of this short name with these values, and whether it was made now.

    Raises FixedError where it belongs to another ladder, ArchivedError where it would be made in what is archived, and
    as `add_queue` does.
    """
    queue = Queue.objects.filter(slug=slug).first()
    if queue is None:
        if ladder.is_archived:
            raise ArchivedError(ladder, ladder=ladder.slug)
        try:
            with transaction.atomic():
                added = add_queue(
                    ladder=ladder, slug=slug, columns=columns, settings=settings, actor=actor
                )
            return added, True
        except (IntegrityError, ValidationError):
            queue = Queue.objects.filter(slug=slug).first()  # made by another at the same moment
            if queue is None:
                raise
    if queue.ladder_id != ladder.pk:
        raise FixedError("ladder", given=ladder.slug, present=queue.ladder.slug)
    change_queue(queue, columns=columns, settings=settings, actor=actor, note=note)
    return queue, False
