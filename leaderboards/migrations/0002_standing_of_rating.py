"""Invariants that Django's own constraints cannot express."""

from django.db import migrations

STANDING_BELONGS_TO_A_RATING = """
ALTER TABLE leaderboards_standing ADD CONSTRAINT standing_of_rating
    FOREIGN KEY (track_id, player_id) REFERENCES ratings_rating (track_id, player_id)
    DEFERRABLE INITIALLY DEFERRED;
"""


class Migration(migrations.Migration):
    dependencies = [("leaderboards", "0001_initial"), ("ratings", "0001_initial")]

    operations = [
        migrations.RunSQL(
            STANDING_BELONGS_TO_A_RATING,
            "ALTER TABLE leaderboards_standing DROP CONSTRAINT standing_of_rating",
        ),
    ]
