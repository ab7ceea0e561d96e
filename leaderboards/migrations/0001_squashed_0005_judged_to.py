"""Tables of leaderboards, as the first five migrations left them, with what Django's own constraints cannot express."""

import django.db.models.deletion
import django.db.models.expressions
from django.db import migrations, models

# A standing is of the rating of a player as a whole, never of one by map or character: its facet is always empty.
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

    replaces = [
        ('leaderboards', '0001_initial'),
        ('leaderboards', '0002_standing_of_rating'),
        ('leaderboards', '0003_free_standings'),
        ('leaderboards', '0004_standings_of_whole_ratings'),
        ('leaderboards', '0005_judged_to'),
    ]

    initial = True

    dependencies = [
        ('ratings', '0001_squashed_0021_open_disputes'),
    ]

    operations = [
        migrations.CreateModel(
            name='Board',
            fields=[
                ('track', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='board', serialize=False, to='ratings.ratingtrack', verbose_name='rating track')),
                ('revision', models.BigIntegerField(default=0, verbose_name='revision')),
                ('updated_at', models.DateTimeField(null=True, verbose_name='updated')),
                ('compared_to', models.DateTimeField(help_text='Movement and points are counted since then.', null=True, verbose_name='compared to')),
                ('compared_period', models.BigIntegerField(default=0, help_text='Closed periods when the comparison was made.', verbose_name='compared period')),
                ('bucket_width', models.FloatField(default=1.0, verbose_name='bucket width')),
                ('rule_version', models.PositiveIntegerField(default=0, verbose_name='by parameter version')),
                ('rule_inactive_after_days', models.FloatField(null=True, verbose_name='by days until inactive')),
                ('rule_lists_provisional', models.BooleanField(default=False, verbose_name='by listing provisional players')),
                ('judged_to', models.DateTimeField(help_text='Whoever is inactive by then is hidden. If it has not come yet, all are judged anew.', null=True, verbose_name='judged up to')),
            ],
            options={
                'verbose_name': 'leaderboard',
                'verbose_name_plural': 'leaderboards',
                'constraints': [models.CheckConstraint(condition=models.Q(('bucket_width__gt', 0)), name='board_bucket_width')],
            },
        ),
        migrations.CreateModel(
            name='RankBucket',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bucket', models.IntegerField(help_text='Rating divided by the bucket width, rounded down.', verbose_name='bucket')),
                ('listed', models.PositiveBigIntegerField(verbose_name='listed')),
                ('inactive', models.PositiveBigIntegerField(verbose_name='hidden as inactive')),
                ('total', models.PositiveBigIntegerField(verbose_name='all')),
                ('track', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ratings.ratingtrack', verbose_name='rating track')),
            ],
            options={
                'verbose_name': 'rank bucket',
                'verbose_name_plural': 'rank buckets',
                'constraints': [models.UniqueConstraint(models.F('track'), models.F('bucket'), name='bucket_unique'), models.CheckConstraint(condition=models.Q(('total__gte', django.db.models.expressions.CombinedExpression(models.F('listed'), '+', models.F('inactive')))), name='bucket_parts_within_total')],
            },
        ),
        migrations.CreateModel(
            name='Standing',
            fields=[
                ('rating', models.OneToOneField(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='standing', serialize=False, to='ratings.rating', verbose_name='rating')),
                ('order_value', models.FloatField(verbose_name='ordered by')),
                ('listed', models.BooleanField(verbose_name='listed')),
                ('listed_until', models.DateTimeField(help_text='When time alone will hide this player.', null=True, verbose_name='listed until')),
                ('hidden_as', models.PositiveSmallIntegerField(choices=[(1, 'provisional'), (2, 'inactive')], help_text='Why not listed, or what will hide it next.', verbose_name='hidden as')),
                ('previous_rank', models.PositiveBigIntegerField(null=True, verbose_name='rank before')),
                ('previous_value', models.FloatField(null=True, verbose_name='rating before')),
                ('player', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='standings', to='ratings.player', verbose_name='player')),
                ('track', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ratings.ratingtrack', verbose_name='rating track')),
            ],
            options={
                'verbose_name': 'standing',
                'verbose_name_plural': 'standings',
                'ordering': ['track_id', '-order_value', 'player_id'],
                'indexes': [models.Index(condition=models.Q(('listed', True)), fields=['track', '-order_value', 'player_id'], name='standing_listed'), models.Index(fields=['track', '-order_value', 'player_id'], name='standing_all'), models.Index(condition=models.Q(('listed_until__isnull', False)), fields=['track', 'listed_until'], name='standing_due')],
                'constraints': [models.UniqueConstraint(models.F('player'), models.F('track'), name='standing_unique'), models.CheckConstraint(condition=models.Q(('listed', True), ('listed_until__isnull', True), _connector='OR'), name='standing_only_listed_expires')],
            },
        ),
        migrations.RunSQL(BIND, LET_GO),
    ]
