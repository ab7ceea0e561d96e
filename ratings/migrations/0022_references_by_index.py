"""Look up what ratings and changes refer to by index, one look a row, whatever the statistics say.

Statistics that were taken while a large run had not committed its ratings count none of them. By such the plan went
through all ratings for each change: hours for 100,000.
"""

from django.db import migrations

from ratings.migrations._triggers import CHANGES_REFER

# Every index of ratings that begins with the track holds all of a track: `+ 0` leaves only the one of a player.
CHANGES = """
CREATE OR REPLACE FUNCTION ratings_change_refers() RETURNS trigger LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_material = off AS $$
BEGIN
    IF EXISTS (
        SELECT FROM added
        LEFT JOIN ratings_rating AS rating
            ON rating.track_id + 0 = added.track_id AND rating.player_id = added.player_id
            AND rating.facet = added.facet
        WHERE rating.id IS NULL
    ) OR EXISTS (
        SELECT FROM (SELECT DISTINCT track_id, period_id FROM added WHERE period_id IS NOT NULL) AS periods
        LEFT JOIN ratings_ratingperiod AS period
            ON period.id = periods.period_id AND period.track_id = periods.track_id
        WHERE period.id IS NULL
    ) THEN
        RAISE EXCEPTION 'a change belongs to a rating and a period of its track that exist'
            USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NULL;
END
$$;
"""
BEFORE = CHANGES_REFER.partition("CREATE TRIGGER")[0].replace("CREATE F", "CREATE OR REPLACE F")
RATINGS = "ALTER FUNCTION ratings_rating_refers() SET enable_seqscan = off SET enable_material = off"
RATINGS_BEFORE = "ALTER FUNCTION ratings_rating_refers() RESET enable_seqscan RESET enable_material"


class Migration(migrations.Migration):
    """Functions of two triggers."""

    dependencies = [("ratings", "0001_squashed_0021_open_disputes")]

    operations = [
        migrations.RunSQL(CHANGES, BEFORE),
        migrations.RunSQL(RATINGS, RATINGS_BEFORE),
    ]
