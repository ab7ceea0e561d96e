"""Nobody drifts twice on one date: a unique index on a large table, made while others write."""

from django.db import migrations, models

# Whoever was killed while it was made has left it unfinished.
DROP = "DROP INDEX CONCURRENTLY IF EXISTS change_once_per_drift"
CREATE = """
CREATE UNIQUE INDEX CONCURRENTLY change_once_per_drift ON ratings_ratingchange (track_id, player_id, facet, at)
WHERE kind IN ('decay', 'inflation')
"""


class Migration(migrations.Migration):
    atomic = False

    works_with_release_before = "it writes no rows of these kinds"

    dependencies = [("ratings", "0042_drift")]

    operations = [
        migrations.RunSQL(DROP, migrations.RunSQL.noop),
        migrations.RunSQL(
            CREATE,
            DROP,
            state_operations=[
                migrations.AddConstraint(
                    model_name="ratingchange",
                    constraint=models.UniqueConstraint(
                        models.F("track"),
                        models.F("player"),
                        models.F("facet"),
                        models.F("at"),
                        condition=models.Q(("kind__in", ("decay", "inflation"))),
                        name="change_once_per_drift",
                    ),
                )
            ],
        ),
    ]
