"""Indexes of the columns added before, and the constraints on them, without keeping anybody from writing meanwhile."""

from django.contrib.postgres.operations import AddIndexConcurrently, ValidateConstraint
from django.db import migrations, models
from django.db.models import Q

INDEXES = [
    ("match", models.Index(fields=["server_key"], condition=Q(server_key__isnull=False), name="match_by_server_key")),
    ("player", models.Index(fields=["id"], condition=Q(archived_at__isnull=False), name="player_archived")),
    ("player", models.Index(fields=["merged_into"], condition=Q(merged_into__isnull=False), name="player_merged")),
    (
        "participant",
        models.Index(
            fields=["reported_as", "match"], condition=Q(reported_as__isnull=False), name="participant_reported_as"
        ),
    ),
]


def anew(model: str, index: models.Index) -> list[migrations.operations.base.Operation]:
    """Whoever was killed while it was made has left it unfinished."""
    drop = f"DROP INDEX CONCURRENTLY IF EXISTS {index.name}"
    return [migrations.RunSQL(drop, migrations.RunSQL.noop), AddIndexConcurrently(model, index)]


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("ratings", "0028_small_tables_are_known")]

    operations = [
        *(operation for model, index in INDEXES for operation in anew(model, index)),
        ValidateConstraint("match", "match_only_a_result_is_corrected"),
        ValidateConstraint("participant", "participant_reported_as_another"),
    ]
