"""An index of the rated matches that wait for their number, made without keeping anybody from writing meanwhile."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models import Q

INDEX = models.Index(
    fields=["ladder", "confirmed_at", "id"],
    name="match_awaits_number",
    condition=Q(state="confirmed", ladder_seq__isnull=True, rated=True),
)


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("ratings", "0033_unrated_matches")]

    operations = [
        # Whoever was killed while it was made has left it unfinished.
        migrations.RunSQL(
            "DROP INDEX CONCURRENTLY IF EXISTS match_awaits_number", migrations.RunSQL.noop
        ),
        AddIndexConcurrently("match", INDEX),
    ]
