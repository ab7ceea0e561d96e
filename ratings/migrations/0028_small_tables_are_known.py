"""Let PostgreSQL know its small tables within a minute of every change.

Reading many rows of few games, ladders and tracks is planned by how many of these are archived, ranked or shown. Of a
table that was never analyzed nothing is known, and PostgreSQL by itself analyzes none before 50 rows have changed:
sites with a handful of ladders would never be. Then it takes a million rows for a few, and sorts them to show fifty.
"""

from django.db import migrations

TABLES = ("ratings_game", "ratings_ladder", "ratings_ratingtrack")
KNOWN = "".join(
    f"ALTER TABLE {table} SET (autovacuum_analyze_threshold = 0, autovacuum_analyze_scale_factor = 0.05);\n"
    for table in TABLES
)
KNOWN_NO_MORE = "".join(
    f"ALTER TABLE {table} RESET (autovacuum_analyze_threshold, autovacuum_analyze_scale_factor);\n"
    for table in TABLES
)


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0027_merging'),
    ]

    operations = [
        migrations.RunSQL(KNOWN, KNOWN_NO_MORE),
        migrations.RunSQL("ANALYZE " + ", ".join(TABLES), migrations.RunSQL.noop),
    ]
