"""Logs that statistics do not have yet are found by an index."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("ratings", "0045_frags_counted"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="matchlog",
            index=models.Index(
                condition=models.Q(("counted_at__isnull", True)),
                fields=["match"],
                name="match_log_uncounted",
            ),
        ),
    ]
