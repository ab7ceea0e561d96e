"""An index of the matches that count no longer, made without keeping anybody from writing meanwhile."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models import Q

INDEX = models.Index(
    fields=["ladder"], name="match_annulled", condition=Q(state="annulled", ladder_seq__isnull=False)
)


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("ratings", "0031_kept_suspensions")]

    operations = [
        # Whoever was killed while it was made has left it unfinished.
        migrations.RunSQL(
            "DROP INDEX CONCURRENTLY IF EXISTS match_annulled", migrations.RunSQL.noop
        ),
        AddIndexConcurrently("match", INDEX),
    ]
