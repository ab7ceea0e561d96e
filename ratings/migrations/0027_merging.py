"""Players that count for another: which, since when, and under which of them a match came."""

import django.contrib.postgres.fields
import django.contrib.postgres.functions
import django.db.models.deletion
from django.conf import settings
from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models

# No chains, and no other game. Whoever merges the other one meanwhile waits here, or is waited for.
ENDS_AT_ONE = """
CREATE FUNCTION ratings_merge_ends_at_one() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM ratings_player
        WHERE id = NEW.merged_into_id AND merged_into_id IS NULL AND game_id = NEW.game_id FOR NO KEY UPDATE;
    IF NOT FOUND OR EXISTS (SELECT FROM ratings_player WHERE merged_into_id = NEW.id) THEN
        RAISE EXCEPTION 'player % cannot be merged into %: another game, or part of another merge',
            NEW.id, NEW.merged_into_id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER merge_ends_at_one AFTER INSERT OR UPDATE OF merged_into_id ON ratings_player FOR EACH ROW
    WHEN (NEW.merged_into_id IS NOT NULL) EXECUTE FUNCTION ratings_merge_ends_at_one();
"""
ENDS_ANYWHERE = "DROP TRIGGER merge_ends_at_one ON ratings_player; DROP FUNCTION ratings_merge_ends_at_one()"


class Migration(migrations.Migration):
    works_with_release_before = "the constraints are on columns that the release before leaves empty"

    dependencies = [
        ("ratings", "0026_archiving"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='PlayerMerge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.DateTimeField(help_text='Empty: from the first match.', null=True, verbose_name='matches since')),
                ('annulled', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), db_default=[], default=list, help_text='In which both took part. They count again when the merge is undone.', size=None, verbose_name='annulled matches')),
                ('account_came_along', models.BooleanField(db_default=False, help_text='The other player had none, so the account has that one now.', verbose_name='the account came along')),
                ('at', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), verbose_name='merged at')),
                ('undone_at', models.DateTimeField(null=True, verbose_name='undone at')),
            ],
            options={
                'verbose_name': 'merge',
                'verbose_name_plural': 'merges',
                'ordering': ['-id'],
            },
        ),
        migrations.AlterModelOptions(
            name='player',
            options={'ordering': ['id'], 'permissions': [('merge_player', 'Can merge players'), ('move_player', 'Can give a player to another account')], 'verbose_name': 'player', 'verbose_name_plural': 'players'},
        ),
        migrations.AddField(
            model_name='participant',
            name='reported_as',
            field=models.ForeignKey(db_index=False, editable=False, help_text='Under which player it came, where that one was merged into the player.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.player', verbose_name='reported as'),
        ),
        migrations.AddField(
            model_name='player',
            name='merged_into',
            field=models.ForeignKey(db_index=False, editable=False, help_text="Who acts, and is rated, in this player's place.", null=True, on_delete=django.db.models.deletion.PROTECT, related_name='merged', to='ratings.player', verbose_name='merged into'),
        ),
        migrations.AddField(
            model_name='player',
            name='merged_since',
            field=models.DateTimeField(editable=False, help_text="Matches played before stay this player's own. Empty: none does.", null=True, verbose_name='merged since'),
        ),
        migrations.AddField(
            model_name='sanction',
            name='carried_from',
            field=models.ForeignKey(db_index=False, editable=False, help_text='The sanction on a merged player that goes on in this one.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.sanction', verbose_name='carried over from'),
        ),
        AddConstraintNotValid(
            model_name='participant',
            constraint=models.CheckConstraint(condition=models.Q(('reported_as', models.F('player')), _negated=True), name='participant_reported_as_another'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('merged_into__isnull', True), ('user__isnull', True), _connector='OR'), name='player_merged_has_no_account'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('merged_into', models.F('id')), _negated=True), name='player_not_merged_into_itself'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('merged_since__isnull', True), ('merged_into__isnull', False), _connector='OR'), name='player_merged_since_a_moment'),
        ),
        migrations.AddField(
            model_name='playermerge',
            name='account',
            field=models.ForeignKey(help_text='Whose player the merged one was.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='account'),
        ),
        migrations.AddField(
            model_name='playermerge',
            name='by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='merged by'),
        ),
        migrations.AddField(
            model_name='playermerge',
            name='into',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='received', to='ratings.player', verbose_name='merged into'),
        ),
        migrations.AddField(
            model_name='playermerge',
            name='merged',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='merges', to='ratings.player', verbose_name='player'),
        ),
        migrations.AddField(
            model_name='playermerge',
            name='undone_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='undone by'),
        ),
        migrations.AddConstraint(
            model_name='playermerge',
            constraint=models.UniqueConstraint(models.F('merged'), condition=models.Q(('undone_at__isnull', True)), name='merge_one_in_force'),
        ),
        migrations.AddConstraint(
            model_name='playermerge',
            constraint=models.CheckConstraint(condition=models.Q(('merged', models.F('into')), _negated=True), name='merge_of_two_players'),
        ),
        migrations.AddConstraint(
            model_name='playermerge',
            constraint=models.CheckConstraint(condition=models.Q(('undone_by__isnull', True), ('undone_at__isnull', False), _connector='OR'), name='merge_undone_by_somebody_at_a_time'),
        ),
        migrations.RunSQL(ENDS_AT_ONE, ENDS_ANYWHERE),
    ]
