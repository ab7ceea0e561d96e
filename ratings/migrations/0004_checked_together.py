"""Ratings and the ledger are checked a statement at a time: row by row took half of closing a large period."""

import django.db.models.deletion
from django.db import migrations, models


# One look for all rows of a statement instead of a query a row. Nested loops: always by index, whatever the size that
# the plan was made for.
RATINGS_REFER = """
CREATE FUNCTION ratings_rating_refers() RETURNS trigger LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    IF EXISTS (
        SELECT FROM (SELECT DISTINCT track_id FROM added) AS tracks
        LEFT JOIN ratings_ratingtrack AS track ON track.id = tracks.track_id
        WHERE track.id IS NULL
    ) OR EXISTS (
        SELECT FROM added LEFT JOIN ratings_player AS player ON player.id = added.player_id
        WHERE player.id IS NULL
    ) THEN
        RAISE EXCEPTION 'a rating belongs to a track and a player that exist' USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER rating_refers AFTER INSERT ON ratings_rating
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ratings_rating_refers();
"""

CHANGES_REFER = """
CREATE FUNCTION ratings_change_refers() RETURNS trigger LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    IF EXISTS (
        SELECT FROM added
        LEFT JOIN ratings_rating AS rating
            ON rating.track_id = added.track_id AND rating.player_id = added.player_id
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
CREATE TRIGGER change_refers AFTER INSERT ON ratings_ratingchange
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ratings_change_refers();
"""

# The other end: what is referred to stays. Its keys never change, so deleting is all there is to refuse.
REFERRED_TO_STAYS = """
CREATE FUNCTION ratings_referred_to_stays() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    is_referred_to boolean;
BEGIN
    CASE TG_TABLE_NAME
        WHEN 'ratings_rating' THEN
            is_referred_to := EXISTS (SELECT FROM ratings_ratingchange
                                      WHERE track_id = OLD.track_id AND player_id = OLD.player_id);
        WHEN 'ratings_ratingperiod' THEN
            is_referred_to := EXISTS (SELECT FROM ratings_ratingchange
                                      WHERE track_id = OLD.track_id AND period_id = OLD.id);
        WHEN 'ratings_ratingtrack' THEN
            is_referred_to := EXISTS (SELECT FROM ratings_rating WHERE track_id = OLD.id);
        WHEN 'ratings_player' THEN
            is_referred_to := EXISTS (SELECT FROM ratings_rating WHERE player_id = OLD.id);
    END CASE;
    IF is_referred_to THEN
        RAISE EXCEPTION '% % is still referred to by ratings or their ledger', TG_TABLE_NAME, OLD.id
            USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NULL;
END
$$;
"""
for table in ("rating", "ratingperiod", "ratingtrack", "player"):
    REFERRED_TO_STAYS += f"""
CREATE CONSTRAINT TRIGGER {table}_stays AFTER DELETE ON ratings_{table} DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION ratings_referred_to_stays();
"""
UNDO = """
DROP FUNCTION ratings_rating_refers() CASCADE;
DROP FUNCTION ratings_change_refers() CASCADE;
DROP FUNCTION ratings_referred_to_stays() CASCADE;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0003_rating_run'),
    ]

    operations = [
        migrations.AlterField(
            model_name='rating',
            name='player',
            field=models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='ratings', to='ratings.player', verbose_name='player'),
        ),
        migrations.AlterField(
            model_name='rating',
            name='track',
            field=models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='ratings', to='ratings.ratingtrack', verbose_name='rating track'),
        ),
        migrations.AlterField(
            model_name='ratingchange',
            name='period',
            field=models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='changes', to='ratings.ratingperiod', verbose_name='rating period'),
        ),
        migrations.RunSQL(
            "ALTER TABLE ratings_ratingchange DROP CONSTRAINT change_of_rating",
            "ALTER TABLE ratings_ratingchange ADD CONSTRAINT change_of_rating FOREIGN KEY (track_id, player_id)"
            " REFERENCES ratings_rating (track_id, player_id) DEFERRABLE INITIALLY DEFERRED",
        ),
        migrations.RunSQL(RATINGS_REFER + CHANGES_REFER + REFERRED_TO_STAYS, UNDO),
    ]
