"""Standings let go of their ratings, whose key is about to change. The next migration binds them again."""

from django.db import migrations

BIND = """
ALTER TABLE leaderboards_standing ADD CONSTRAINT standing_of_rating
    FOREIGN KEY (track_id, player_id) REFERENCES ratings_rating (track_id, player_id)
    DEFERRABLE INITIALLY DEFERRED
"""


class Migration(migrations.Migration):
    dependencies = [("leaderboards", "0002_standing_of_rating"), ("ratings", "0010_side_estimates")]
    run_before = [("ratings", "0011_facets")]

    operations = [
        migrations.RunSQL("ALTER TABLE leaderboards_standing DROP CONSTRAINT standing_of_rating", BIND),
    ]
