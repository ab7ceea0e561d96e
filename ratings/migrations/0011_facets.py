"""Ratings by map or character: what refers to a rating names its facet too."""

from django.db import migrations, models

# The functions of 0004, with `%(change)s` and `%(rating)s` where the facet is compared.
_FUNCTIONS = """
CREATE OR REPLACE FUNCTION ratings_change_refers() RETURNS trigger LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    IF EXISTS (
        SELECT FROM added
        LEFT JOIN ratings_rating AS rating
            ON rating.track_id = added.track_id AND rating.player_id = added.player_id%(change)s
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
CREATE OR REPLACE FUNCTION ratings_referred_to_stays() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    is_referred_to boolean;
BEGIN
    CASE TG_TABLE_NAME
        WHEN 'ratings_rating' THEN
            is_referred_to := EXISTS (SELECT FROM ratings_ratingchange
                                      WHERE track_id = OLD.track_id AND player_id = OLD.player_id%(rating)s);
        WHEN 'ratings_ratingperiod' THEN
            is_referred_to := EXISTS (SELECT FROM ratings_ratingchange
                                      WHERE track_id = OLD.track_id AND period_id = OLD.id);
        WHEN 'ratings_ratingtrack' THEN
            is_referred_to := EXISTS (SELECT FROM ratings_rating WHERE track_id = OLD.id);
        WHEN 'ratings_player' THEN
            is_referred_to := EXISTS (SELECT FROM ratings_rating WHERE player_id = OLD.id);
    END CASE;
    IF is_referred_to THEN
        RAISE EXCEPTION '%% %% is still referred to by ratings or their ledger', TG_TABLE_NAME, OLD.id
            USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NULL;
END
$$;
"""
WITH_FACETS = _FUNCTIONS % {
    "change": " AND rating.facet = added.facet",
    "rating": " AND facet = OLD.facet",
}
WITHOUT = _FUNCTIONS % {"change": "", "rating": ""}


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0010_side_estimates'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='rating',
            name='rating_one_per_track',
        ),
        migrations.RemoveConstraint(
            model_name='ratingchange',
            name='change_once_per_period',
        ),
        migrations.AddField(
            model_name='rating',
            name='facet',
            field=models.CharField(blank=True, db_default='', default='', max_length=100, verbose_name='map or character'),
        ),
        migrations.AddField(
            model_name='ratingchange',
            name='facet',
            field=models.CharField(blank=True, db_default='', default='', max_length=100, verbose_name='map or character'),
        ),
        migrations.AlterField(
            model_name='ratingtrack',
            name='facet',
            field=models.CharField(blank=True, choices=[('', 'nothing: players as a whole'), ('map', 'each map'), ('character', 'each character')], help_text='With a map or character, a player has a rating of its own for each of them.', max_length=60, verbose_name='rated apart'),
        ),
        migrations.AddConstraint(
            model_name='rating',
            constraint=models.UniqueConstraint(models.F('player'), models.F('track'), models.F('facet'), name='rating_one_per_track'),
        ),
        migrations.AddConstraint(
            model_name='ratingchange',
            constraint=models.UniqueConstraint(models.F('track'), models.F('period'), models.F('player'), models.F('facet'), condition=models.Q(('period__isnull', False)), name='change_once_per_period'),
        ),
        migrations.RunSQL(WITH_FACETS, WITHOUT),
    ]
