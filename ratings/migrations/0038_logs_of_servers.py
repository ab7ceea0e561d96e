"""Servers whose matches are rated by events: logs, their events, and what tracks have made of them."""

import django.contrib.postgres.fields
import django.contrib.postgres.functions
import django.core.validators
import django.db.models.deletion
from django.db import migrations, models


SERVER_AND_LADDER_AGREE_ON_THE_GAME = """
ALTER TABLE ratings_gameserver ADD CONSTRAINT game_server_game_of_ladder
    FOREIGN KEY (ladder_id, game_id) REFERENCES ratings_ladder (id, game_id) DEFERRABLE INITIALLY DEFERRED;
"""
EVENTS_ONLY_GROW = """
CREATE FUNCTION ratings_log_events_only_grow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'events are only added: % of event % of log % refused', lower(TG_OP), OLD.number, OLD.log_id
        USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER log_events_only_grow BEFORE UPDATE OR DELETE ON ratings_logevent
    FOR EACH ROW EXECUTE FUNCTION ratings_log_events_only_grow();
"""
# One look for all rows of a statement instead of three queries a row.
EVENTS_REFER = """
CREATE FUNCTION ratings_log_event_refers() RETURNS trigger LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    IF EXISTS (
        SELECT FROM (SELECT DISTINCT log_id FROM added) AS logs
        LEFT JOIN ratings_matchlog AS log ON log.match_id = logs.log_id
        WHERE log.match_id IS NULL
    ) OR EXISTS (
        SELECT FROM (SELECT DISTINCT player_id AS id FROM added UNION SELECT victim_id FROM added) AS named
        LEFT JOIN ratings_player AS player ON player.id = named.id
        WHERE named.id IS NOT NULL AND player.id IS NULL
    ) THEN
        RAISE EXCEPTION 'an event belongs to a log and to players that exist' USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER log_event_refers AFTER INSERT ON ratings_logevent
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ratings_log_event_refers();
"""


class Migration(migrations.Migration):
    works_with_release_before = "the column has a default in the database, and the tables are new"

    dependencies = [
        ('ratings', '0037_ranges_of_teams'),
    ]

    operations = [
        migrations.AddField(
            model_name='ladder',
            name='rated_by',
            field=models.CharField(choices=[('results', 'results of matches'), ('events', 'events of game servers')], db_default='results', default='results', help_text='Events: game servers that players join and leave tell each frag, and ratings follow within seconds. Only with the system Frags.', max_length=10, verbose_name='rated by'),
        ),
        migrations.CreateModel(
            name='GameServer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('archived_at', models.DateTimeField(editable=False, help_text='Since when it is neither shown nor used. Empty: it is.', null=True, verbose_name='archived')),
                ('slug', models.CharField(help_text='Used in addresses. Small letters, digits, hyphens and underscores.', max_length=40, validators=[django.core.validators.RegexValidator('^[a-z0-9_-]+\\Z')], verbose_name='short name')),
                ('name', models.CharField(max_length=100, verbose_name='name')),
                ('created_at', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), editable=False, verbose_name='created')),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='servers', to='ratings.game', verbose_name='game')),
                ('ladder', models.ForeignKey(help_text='On which its matches count. It must be rated by events.', on_delete=django.db.models.deletion.PROTECT, related_name='servers', to='ratings.ladder', verbose_name='ladder')),
            ],
            options={
                'verbose_name': 'game server',
                'verbose_name_plural': 'game servers',
                'ordering': ['game_id', 'name', 'id'],
            },
        ),
        migrations.CreateModel(
            name='LogTally',
            fields=[
                ('pk', models.CompositePrimaryKey('match_id', 'track_id', 'player_id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('team', models.CharField(blank=True, max_length=40, verbose_name='team')),
                ('frags', models.IntegerField(verbose_name='frags')),
                ('deaths', models.IntegerField(verbose_name='deaths')),
                ('suicides', models.IntegerField(verbose_name='suicides')),
                ('team_kills', models.IntegerField(verbose_name='team kills')),
                ('goals', models.IntegerField(verbose_name='goals')),
                ('expected', models.FloatField(verbose_name='expected')),
                ('actual', models.FloatField(verbose_name='actual')),
                ('weight', models.FloatField(verbose_name='weight')),
                ('value_before', models.FloatField(verbose_name='rating before')),
                ('value_after', models.FloatField(verbose_name='rating after')),
                ('points', models.FloatField(verbose_name='points')),
                ('in_ledger', models.BooleanField(db_default=False, default=False, verbose_name='in the ledger')),
                ('match', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.match', verbose_name='match')),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.player', verbose_name='player')),
                ('track', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ratings.ratingtrack', verbose_name='rating track')),
            ],
            options={
                'verbose_name': 'tally of a log',
                'verbose_name_plural': 'tallies of logs',
            },
        ),
        migrations.CreateModel(
            name='MatchLog',
            fields=[
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='log', serialize=False, to='ratings.match', verbose_name='match')),
                ('name', models.CharField(help_text='How the server names the match.', max_length=50, verbose_name='name')),
                ('sides', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), default=list, size=None, verbose_name='sides')),
                ('highest', models.IntegerField(default=0, verbose_name='highest number')),
                ('complete_to', models.IntegerField(default=0, help_text='Up to here no event is waited for.', verbose_name='complete up to')),
                ('sequenced_to', models.IntegerField(default=0, help_text="Up to here events have their place in the ladder's sequence.", verbose_name='in the sequence up to')),
                ('ends_with', models.IntegerField(help_text='Number of the event that ends the match.', null=True, verbose_name='ends with')),
                ('gap_since', models.DateTimeField(help_text='Since when events are missing below the highest.', null=True, verbose_name='gap since')),
                ('last_event_at', models.DateTimeField(verbose_name='last event received')),
                ('server', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='logs', to='ratings.gameserver', verbose_name='game server')),
            ],
            options={
                'verbose_name': 'log of a match',
                'verbose_name_plural': 'logs of matches',
            },
        ),
        migrations.CreateModel(
            name='LogStretch',
            fields=[
                ('pk', models.CompositePrimaryKey('ladder_id', 'seq', blank=True, editable=False, primary_key=True, serialize=False)),
                ('seq', models.BigIntegerField(verbose_name='place in the sequence')),
                ('first', models.IntegerField(verbose_name='first number')),
                ('last', models.IntegerField(verbose_name='last number')),
                ('ladder', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.ladder', verbose_name='ladder')),
                ('log', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='stretches', to='ratings.matchlog', verbose_name='log of a match')),
            ],
            options={
                'verbose_name': 'stretch of a log',
                'verbose_name_plural': 'stretches of logs',
            },
        ),
        migrations.CreateModel(
            name='LogGap',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('first', models.IntegerField(verbose_name='first number')),
                ('last', models.IntegerField(verbose_name='last number')),
                ('given_up_at', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), verbose_name='given up')),
                ('log', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='gaps', to='ratings.matchlog', verbose_name='log of a match')),
            ],
            options={
                'verbose_name': 'gap in a log',
                'verbose_name_plural': 'gaps in logs',
                'ordering': ['log_id', 'first'],
            },
        ),
        migrations.CreateModel(
            name='LogEvent',
            fields=[
                ('pk', models.CompositePrimaryKey('log_id', 'number', blank=True, editable=False, primary_key=True, serialize=False)),
                ('log', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='events', to='ratings.matchlog', verbose_name='log of a match')),
                ('player', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.player', verbose_name='player')),
                ('victim', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.player', verbose_name='victim')),
                ('at', models.DateTimeField(verbose_name='at')),
                ('weight', models.FloatField(help_text='How many frags it is worth. Empty: as its kind is.', null=True, verbose_name='weight')),
                ('number', models.IntegerField(verbose_name='number')),
                ('kind', models.SmallIntegerField(choices=[(1, 'begin'), (2, 'join'), (3, 'leave'), (4, 'frag'), (5, 'suicide'), (6, 'team kill'), (7, 'capture'), (8, 'score'), (9, 'round'), (10, 'end')], verbose_name='kind')),
                ('counts', models.BooleanField(help_text='Whether it is rated: not with guests, nor with suspended players.', verbose_name='counts')),
                ('detail', models.CharField(blank=True, help_text='The weapon, or the team joined.', max_length=60, verbose_name='detail')),
                ('guest', models.CharField(blank=True, max_length=100, verbose_name='guest')),
                ('guest_victim', models.CharField(blank=True, max_length=100, verbose_name='guest as victim')),
            ],
            options={
                'verbose_name': 'event of a match',
                'verbose_name_plural': 'events of matches',
            },
        ),
        migrations.AddConstraint(
            model_name='gameserver',
            constraint=models.UniqueConstraint(models.F('game'), models.F('slug'), name='game_server_slug_unique', violation_error_message='This game has a server of this short name.'),
        ),
        migrations.AddConstraint(
            model_name='gameserver',
            constraint=models.CheckConstraint(condition=models.Q(('slug__regex', '^[a-z0-9_-]+$')), name='game_server_slug'),
        ),
        migrations.AddIndex(
            model_name='logtally',
            index=models.Index(condition=models.Q(('in_ledger', False)), fields=['track', 'player'], name='log_tally_open'),
        ),
        migrations.AddConstraint(
            model_name='logtally',
            constraint=models.CheckConstraint(condition=models.Q(('deaths__gte', 0), ('frags__gte', 0), ('suicides__gte', 0), ('team_kills__gte', 0), ('goals__gte', 0), ('weight__gte', 0)), name='log_tally_not_negative'),
        ),
        migrations.AddIndex(
            model_name='matchlog',
            index=models.Index(condition=models.Q(('complete_to__gt', models.F('sequenced_to'))), fields=['match'], name='match_log_unsequenced'),
        ),
        migrations.AddIndex(
            model_name='matchlog',
            index=models.Index(condition=models.Q(('gap_since__isnull', False)), fields=['gap_since'], name='match_log_gaps'),
        ),
        migrations.AddIndex(
            model_name='matchlog',
            index=models.Index(fields=['server', '-match'], name='match_log_newest'),
        ),
        migrations.AddConstraint(
            model_name='matchlog',
            constraint=models.UniqueConstraint(models.F('server'), models.F('name'), name='match_log_name_unique'),
        ),
        migrations.AddConstraint(
            model_name='matchlog',
            constraint=models.CheckConstraint(condition=models.Q(('complete_to__gte', models.F('sequenced_to')), ('highest__gte', models.F('complete_to')), ('sequenced_to__gte', 0)), name='match_log_in_order'),
        ),
        migrations.AddConstraint(
            model_name='matchlog',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('gap_since__isnull', True), ('highest', models.F('complete_to'))), models.Q(('gap_since__isnull', False), ('highest__gt', models.F('complete_to'))), _connector='OR'), name='match_log_gap_is_known'),
        ),
        migrations.AddConstraint(
            model_name='matchlog',
            constraint=models.CheckConstraint(condition=models.Q(('ends_with__isnull', True), ('highest__lte', models.F('ends_with')), _connector='OR'), name='match_log_nothing_after_its_end'),
        ),
        migrations.AddConstraint(
            model_name='logstretch',
            constraint=models.CheckConstraint(condition=models.Q(('first__gte', 1), ('last__gte', models.F('first')), ('seq__gte', 1)), name='log_stretch_range'),
        ),
        migrations.AddConstraint(
            model_name='loggap',
            constraint=models.UniqueConstraint(models.F('log'), models.F('first'), name='log_gap_once'),
        ),
        migrations.AddConstraint(
            model_name='loggap',
            constraint=models.CheckConstraint(condition=models.Q(('first__gte', 1), ('last__gte', models.F('first'))), name='log_gap_range'),
        ),
        migrations.AddConstraint(
            model_name='logevent',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='log_event_number'),
        ),
        migrations.AddConstraint(
            model_name='logevent',
            constraint=models.CheckConstraint(condition=models.Q(('weight__isnull', True), models.Q(('weight__gt', 0), ('weight__lte', 1000)), _connector='OR'), name='log_event_weight'),
        ),
        migrations.AddConstraint(
            model_name='logevent',
            constraint=models.CheckConstraint(condition=models.Q(('player__isnull', True), ('guest', ''), _connector='OR'), name='log_event_player_or_guest'),
        ),
        migrations.AddConstraint(
            model_name='logevent',
            constraint=models.CheckConstraint(condition=models.Q(('victim__isnull', True), ('guest_victim', ''), _connector='OR'), name='log_event_victim_or_guest'),
        ),
        migrations.RunSQL(SERVER_AND_LADDER_AGREE_ON_THE_GAME, migrations.RunSQL.noop),
        migrations.RunSQL(EVENTS_ONLY_GROW, "DROP FUNCTION ratings_log_events_only_grow() CASCADE"),
        migrations.RunSQL(EVENTS_REFER, "DROP FUNCTION ratings_log_event_refers() CASCADE"),
    ]
