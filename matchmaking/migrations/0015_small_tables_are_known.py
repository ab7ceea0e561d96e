"""Let PostgreSQL know the table of queues within a minute of every change: see ratings, 0028."""

from django.db import migrations

KNOWN = """
ALTER TABLE matchmaking_queue SET (autovacuum_analyze_threshold = 0, autovacuum_analyze_scale_factor = 0.05);
ANALYZE matchmaking_queue;
"""
KNOWN_NO_MORE = """
ALTER TABLE matchmaking_queue RESET (autovacuum_analyze_threshold, autovacuum_analyze_scale_factor);
"""


class Migration(migrations.Migration):

    dependencies = [
        ('matchmaking', '0014_reported_as'),
    ]

    operations = [migrations.RunSQL(KNOWN, KNOWN_NO_MORE)]
