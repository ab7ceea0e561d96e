"""Archiving, imports that are taken back, and rows with a history that stay whoever asks."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

# Whoever is archived is so because nobody has used them: that ends with the first match, account or name. Hardly any
# player is archived, and the index of those who are is what a statement looks at.
USED_AGAIN = """
CREATE FUNCTION ratings_player_is_used() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
    IF EXISTS (SELECT FROM ratings_player WHERE archived_at IS NOT NULL) THEN
        UPDATE ratings_player SET archived_at = NULL
        WHERE id IN (
            SELECT player.id FROM ratings_player AS player
            WHERE player.archived_at IS NOT NULL AND player.id IN (SELECT player_id FROM added)
            ORDER BY player.id FOR NO KEY UPDATE
        );
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER player_is_used AFTER INSERT ON ratings_participant REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION ratings_player_is_used();

CREATE FUNCTION ratings_player_is_known_again() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.archived_at := NULL;
    RETURN NEW;
END
$$;
CREATE TRIGGER player_is_known_again BEFORE UPDATE OF user_id, name ON ratings_player FOR EACH ROW
    WHEN (OLD.archived_at IS NOT NULL AND (NEW.user_id IS NOT NULL OR NEW.name <> OLD.name))
    EXECUTE FUNCTION ratings_player_is_known_again();
"""
USED_NO_MORE = """
DROP TRIGGER player_is_used ON ratings_participant; DROP FUNCTION ratings_player_is_used();
DROP TRIGGER player_is_known_again ON ratings_player; DROP FUNCTION ratings_player_is_known_again()
"""

# Games, ladders, queues, tracks and players are kept by what refers to them. These are the history itself.
STAYS = """
CREATE FUNCTION ratings_history_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% % is history, which is archived and never deleted', TG_TABLE_NAME, OLD.id
        USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER match_stays BEFORE DELETE ON ratings_match FOR EACH ROW
    WHEN (OLD.ladder_seq IS NOT NULL) EXECUTE FUNCTION ratings_history_stays();
CREATE TRIGGER import_stays BEFORE DELETE ON ratings_importedfile FOR EACH ROW
    EXECUTE FUNCTION ratings_history_stays();
CREATE TRIGGER sanction_stays BEFORE DELETE ON ratings_sanction FOR EACH ROW
    EXECUTE FUNCTION ratings_history_stays();
"""
STAYS_NO_MORE = """
DROP TRIGGER match_stays ON ratings_match;
DROP TRIGGER import_stays ON ratings_importedfile;
DROP TRIGGER sanction_stays ON ratings_sanction;
DROP FUNCTION ratings_history_stays()
"""


class Migration(migrations.Migration):
    works_with_release_before = "the constraints are on columns that the release before leaves empty, and on small tables"

    dependencies = [
        ("ratings", "0025_corrections"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='importedfile',
            name='import_once_per_ladder',
        ),
        migrations.AddField(
            model_name='game',
            name='archived_at',
            field=models.DateTimeField(editable=False, help_text='Since when it is neither shown nor used. Empty: it is.', null=True, verbose_name='archived'),
        ),
        migrations.AddField(
            model_name='importedfile',
            name='taken_back_at',
            field=models.DateTimeField(editable=False, null=True, verbose_name='taken back'),
        ),
        migrations.AddField(
            model_name='importedfile',
            name='taken_back_by',
            field=models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='taken back by'),
        ),
        migrations.AddField(
            model_name='importedfile',
            name='taken_back_note',
            field=models.TextField(blank=True, db_default='', editable=False, verbose_name='why'),
        ),
        migrations.AddField(
            model_name='ladder',
            name='archived_at',
            field=models.DateTimeField(editable=False, help_text='Since when it is neither shown nor used. Empty: it is.', null=True, verbose_name='archived'),
        ),
        migrations.AddField(
            model_name='player',
            name='archived_at',
            field=models.DateTimeField(editable=False, help_text='Since when it is neither shown nor used. Empty: it is.', null=True, verbose_name='archived'),
        ),
        migrations.AddField(
            model_name='ratingtrack',
            name='archived_at',
            field=models.DateTimeField(editable=False, help_text='Since when it is neither shown nor used. Empty: it is.', null=True, verbose_name='archived'),
        ),
        migrations.AddConstraint(
            model_name='importedfile',
            constraint=models.UniqueConstraint(models.F('ladder'), models.F('digest'), condition=models.Q(('taken_back_at__isnull', True)), name='import_counts_once_per_ladder'),
        ),
        migrations.AddConstraint(
            model_name='importedfile',
            constraint=models.CheckConstraint(condition=models.Q(('taken_back_at__isnull', False), models.Q(('taken_back_by__isnull', True), ('taken_back_note', '')), _connector='OR'), name='import_taken_back_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='ratingtrack',
            constraint=models.CheckConstraint(condition=models.Q(('archived_at__isnull', True), models.Q(('shown', False), ('shown_next', False)), _connector='OR'), name='track_archived_is_in_the_shadow'),
        ),
        migrations.RunSQL(USED_AGAIN, USED_NO_MORE),
        migrations.RunSQL(STAYS, STAYS_NO_MORE),
    ]

