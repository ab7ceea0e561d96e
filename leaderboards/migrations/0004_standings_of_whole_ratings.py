"""A standing is of the rating of a player as a whole, never of one by map or character: its facet is always empty."""

from django.db import migrations

BIND = """
ALTER TABLE leaderboards_standing ADD COLUMN facet varchar(100) GENERATED ALWAYS AS ('') STORED;
ALTER TABLE leaderboards_standing ADD CONSTRAINT standing_of_rating
    FOREIGN KEY (track_id, player_id, facet) REFERENCES ratings_rating (track_id, player_id, facet)
    DEFERRABLE INITIALLY DEFERRED;
"""
LET_GO = """
ALTER TABLE leaderboards_standing DROP CONSTRAINT standing_of_rating;
ALTER TABLE leaderboards_standing DROP COLUMN facet;
"""


class Migration(migrations.Migration):
    dependencies = [("leaderboards", "0003_free_standings"), ("ratings", "0011_facets")]

    operations = [migrations.RunSQL(BIND, LET_GO)]
