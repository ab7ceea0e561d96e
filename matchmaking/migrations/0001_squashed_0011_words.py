"""Tables of matchmaking, as the first eleven migrations left them.

The leader of a live party is a live member of it, and live members are in live parties: held by foreign keys.
"""

import django.contrib.postgres.functions
import django.core.validators
import django.db.models.deletion
from django.db import migrations, models

# Checked when a transaction commits: a party is written before its first member, and members change one by one.
LEADER_IS_A_MEMBER = """
ALTER TABLE matchmaking_party ADD CONSTRAINT party_leader_is_a_member FOREIGN KEY (id, leader_id, live)
    REFERENCES matchmaking_partymember (party_id, player_id, here) DEFERRABLE INITIALLY DEFERRED
"""

MEMBERS_OF_LIVE_PARTIES = """
ALTER TABLE matchmaking_partymember ADD CONSTRAINT party_member_of_a_live_party FOREIGN KEY (party_id, here)
    REFERENCES matchmaking_party (id, live) DEFERRABLE INITIALLY DEFERRED
"""


class Migration(migrations.Migration):

    replaces = [
        ('matchmaking', '0001_initial'),
        ('matchmaking', '0002_widening_and_sweeps'),
        ('matchmaking', '0003_matched_tickets'),
        ('matchmaking', '0004_session_of_sweep'),
        ('matchmaking', '0005_latest_offers'),
        ('matchmaking', '0006_teams_and_strategies'),
        ('matchmaking', '0007_leaders_are_members'),
        ('matchmaking', '0008_preferences'),
        ('matchmaking', '0009_highest_conduct'),
        ('matchmaking', '0010_words'),
        ('matchmaking', '0011_words'),
    ]

    initial = True

    dependencies = [
        ('ratings', '0001_squashed_0021_open_disputes'),
    ]

    operations = [
        migrations.CreateModel(
            name='Conduct',
            fields=[
                ('player', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='conduct', serialize=False, to='ratings.player', verbose_name='player')),
                ('score', models.FloatField(default=0.0, help_text='0 is a clean record; offences add to it.', verbose_name='score')),
                ('as_of', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), help_text="The score fades from this moment on, by half in the queue's half-life.", verbose_name='as of')),
            ],
            options={
                'verbose_name': 'conduct score',
                'verbose_name_plural': 'conduct scores',
                'ordering': ['player_id'],
                'indexes': [models.Index(fields=['-score', 'player'], name='conduct_highest')],
                'constraints': [models.CheckConstraint(condition=models.Q(('score__gte', 0)), name='conduct_not_negative')],
            },
        ),
        migrations.CreateModel(
            name='Party',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(editable=False, max_length=20, unique=True, verbose_name='invitation code')),
                ('created_at', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), editable=False, verbose_name='created')),
                ('ended_at', models.DateTimeField(blank=True, null=True, verbose_name='ended')),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.game', verbose_name='game')),
                ('leader', models.ForeignKey(help_text='Searches for all, and may remove members.', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.player', verbose_name='leader')),
                ('live', models.GeneratedField(db_persist=True, expression=models.Case(models.When(ended_at__isnull=True, then=models.Value(True))), output_field=models.BooleanField(null=True), verbose_name='live')),
            ],
            options={
                'verbose_name': 'party',
                'verbose_name_plural': 'parties',
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('ended_at__isnull', True), ('ended_at__gte', models.F('created_at')), _connector='OR'), name='party_ends_after_it_begins')],
            },
        ),
        migrations.CreateModel(
            name='PartyMember',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('live', models.BooleanField(default=True, help_text='Until the player leaves, or the party ends.', verbose_name='live')),
                ('joined_at', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), editable=False, verbose_name='joined')),
                ('party', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='members', to='matchmaking.party', verbose_name='party')),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='parties', to='ratings.player', verbose_name='player')),
                ('here', models.GeneratedField(db_persist=True, expression=models.Case(models.When(live=True, then=models.Value(True))), output_field=models.BooleanField(null=True), verbose_name='in the party')),
            ],
            options={
                'verbose_name': 'party member',
                'verbose_name_plural': 'party members',
                'ordering': ['id'],
                'indexes': [models.Index(fields=['player', '-id'], name='party_of_player')],
                'constraints': [models.UniqueConstraint(models.F('player'), condition=models.Q(('live', True)), name='party_one_live_per_player', violation_error_message='This player is in a party already.')],
            },
        ),
        migrations.CreateModel(
            name='Queue',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(unique=True, verbose_name='short name')),
                ('name', models.CharField(max_length=120, verbose_name='name')),
                ('is_open', models.BooleanField(default=True, help_text='A closed queue takes no new tickets.', verbose_name='open')),
                ('accept_seconds', models.PositiveIntegerField(default=20, validators=[django.core.validators.MinValueValidator(3), django.core.validators.MaxValueValidator(600)], verbose_name='seconds to accept')),
                ('heartbeat_seconds', models.PositiveIntegerField(default=60, help_text='A search ends when nothing has been heard from its page or game for this long. 5 to 3,600.', validators=[django.core.validators.MinValueValidator(5), django.core.validators.MaxValueValidator(3600)], verbose_name='seconds until a silent search ends')),
                ('accepts_by_itself', models.BooleanField(default=False, help_text='Offers become matches at once.', verbose_name='accept automatically')),
                ('created_at', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), editable=False, verbose_name='created')),
                ('ladder', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='queues', to='ratings.ladder', verbose_name='ladder')),
                ('gap_cap', models.FloatField(blank=True, help_text='Empty: whoever waits long enough is matched with anyone.', null=True, validators=[django.core.validators.MinValueValidator(0.0), django.core.validators.MaxValueValidator(100000.0)], verbose_name='largest rating gap')),
                ('gap_per_second', models.FloatField(default=5.0, help_text='How much more each player accepts for every second of waiting.', validators=[django.core.validators.MinValueValidator(0.0), django.core.validators.MaxValueValidator(100000.0)], verbose_name='rating gap added per second')),
                ('gap_start', models.FloatField(default=100.0, help_text='How far apart two ratings may be for players who have just begun to wait.', validators=[django.core.validators.MinValueValidator(0.0), django.core.validators.MaxValueValidator(100000.0)], verbose_name='rating gap at the start')),
                ('sweep_token', models.UUIDField(editable=False, null=True, verbose_name='sweep')),
                ('sweep_until', models.DateTimeField(editable=False, null=True, verbose_name='deadline of the sweep')),
                ('swept_at', models.DateTimeField(editable=False, null=True, verbose_name='last swept')),
                ('sweep_backend', models.IntegerField(editable=False, null=True, verbose_name='session of the sweep')),
                ('settings', models.JSONField(blank=True, default=dict, help_text='What differs from the defaults, by section and name.', verbose_name='settings')),
                ('strategy', models.CharField(choices=[('filters', 'filters that widen'), ('buckets', 'buckets'), ('fcfs', 'first come, first served')], default='filters', max_length=10, verbose_name='strategy')),
            ],
            options={
                'verbose_name': 'queue',
                'verbose_name_plural': 'queues',
                'ordering': ['ladder_id', 'name', 'id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('accept_seconds__gte', 3)), name='queue_accept_seconds'), models.CheckConstraint(condition=models.Q(('heartbeat_seconds__gte', 5)), name='queue_heartbeat_seconds'), models.CheckConstraint(condition=models.Q(('gap_per_second__gte', 0), ('gap_start__gte', 0), models.Q(('gap_cap__isnull', True), ('gap_cap__gte', models.F('gap_start')), _connector='OR')), name='queue_gaps', violation_error_message='The largest rating gap must not be below the gap at the start.'), models.CheckConstraint(condition=models.Q(('strategy__in', ['filters', 'buckets', 'fcfs'])), name='queue_strategy'), models.CheckConstraint(condition=models.Q(models.Q(('sweep_token__isnull', True), ('sweep_until__isnull', True)), models.Q(('sweep_token__isnull', False), ('sweep_until__isnull', False)), _connector='OR'), name='queue_sweep_has_a_deadline')],
            },
        ),
        migrations.CreateModel(
            name='Preference',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('wishes', models.JSONField(blank=True, default=dict, verbose_name='preferences for this search')),
                ('character', models.CharField(blank=True, max_length=60, verbose_name='character')),
                ('roles', models.JSONField(blank=True, default=list, verbose_name='roles')),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ratings.player', verbose_name='player')),
                ('queue', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='matchmaking.queue', verbose_name='queue')),
            ],
            options={
                'verbose_name': 'preference',
                'verbose_name_plural': 'preferences',
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(fields=('player', 'queue'), name='preference_once')],
            },
        ),
        migrations.CreateModel(
            name='Offer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('pending', 'waiting for answers'), ('accepted', 'accepted by all'), ('declined', 'declined'), ('expired', 'expired')], default='pending', max_length=10, verbose_name='state')),
                ('created_at', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), verbose_name='created')),
                ('expires_at', models.DateTimeField(verbose_name='expires')),
                ('match', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='offer', to='ratings.match', verbose_name='match')),
                ('queue', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='offers', to='matchmaking.queue', verbose_name='queue')),
                ('gap', models.FloatField(help_text='Between the sides, when the offer was made.', null=True, verbose_name='rating gap')),
                ('chance', models.FloatField(blank=True, help_text="By the ladder's ratings, when the offer was made. Of two teams only.", null=True, verbose_name='expected score of the first team')),
                ('is_neutral', models.BooleanField(db_default=False, default=False, help_text='Nobody plays the better side. Otherwise the first team does.', verbose_name='neutral')),
                ('map', models.CharField(blank=True, db_default='', max_length=100, verbose_name='map')),
                ('record', models.JSONField(blank=True, db_default=models.Value({}, models.JSONField()), default=dict, verbose_name='why it was made')),
            ],
            options={
                'verbose_name': 'offer',
                'verbose_name_plural': 'offers',
                'ordering': ['-id'],
                'indexes': [models.Index(condition=models.Q(('state', 'pending')), fields=['expires_at'], name='offer_due'), models.Index(fields=['queue', '-created_at', '-id'], name='offer_latest')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('match__isnull', False), ('state', 'accepted')), models.Q(models.Q(('state', 'accepted'), _negated=True), ('match__isnull', True)), _connector='OR'), name='offer_match_only_when_accepted'), models.CheckConstraint(condition=models.Q(('chance__isnull', True), models.Q(('chance__gte', 0), ('chance__lte', 1)), _connector='OR'), name='offer_chance_is_a_share'), models.CheckConstraint(condition=models.Q(('expires_at__gt', models.F('created_at'))), name='offer_expires_later')],
            },
        ),
        migrations.CreateModel(
            name='Ticket',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('offered', 'offered a match'), ('matched', 'matched'), ('cancelled', 'cancelled'), ('expired', 'expired')], default='waiting', max_length=10, verbose_name='state')),
                ('waiting_since', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), verbose_name='waiting since')),
                ('seen_at', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), verbose_name='last heard from')),
                ('ended_at', models.DateTimeField(blank=True, null=True, verbose_name='ended')),
                ('queue', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tickets', to='matchmaking.queue', verbose_name='queue')),
                ('rating', models.FloatField(editable=False, null=True, verbose_name='rating when offered')),
                ('wishes', models.JSONField(blank=True, db_default=models.Value({}, models.JSONField()), default=dict, help_text='Languages, regions with latencies, styles, rules, maps.', verbose_name='preferences for this search')),
                ('party', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='tickets', to='matchmaking.party', verbose_name='party')),
            ],
            options={
                'verbose_name': 'ticket',
                'verbose_name_plural': 'tickets',
                'ordering': ['-id'],
                'indexes': [models.Index(condition=models.Q(('state', 'waiting')), fields=['queue', 'waiting_since', 'id'], name='ticket_waiting'), models.Index(condition=models.Q(('state', 'matched')), fields=['queue', '-ended_at'], name='ticket_matched'), models.Index(condition=models.Q(('state__in', ['waiting', 'offered'])), fields=['queue', 'seen_at'], name='ticket_silent')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', True), ('state__in', ['waiting', 'offered'])), models.Q(models.Q(('state__in', ['waiting', 'offered']), _negated=True), ('ended_at__isnull', False)), _connector='OR'), name='ticket_ended_has_a_time')],
            },
        ),
        migrations.CreateModel(
            name='OfferTicket',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('team', models.PositiveSmallIntegerField(verbose_name='team')),
                ('live', models.BooleanField(default=True, help_text='While the offer waits for answers, and for good once all have accepted.', verbose_name='live')),
                ('accepted_at', models.DateTimeField(blank=True, null=True, verbose_name='accepted')),
                ('declined_at', models.DateTimeField(blank=True, null=True, verbose_name='declined')),
                ('offer', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='tickets', to='matchmaking.offer', verbose_name='offer')),
                ('ticket', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='offers', to='matchmaking.ticket', verbose_name='ticket')),
            ],
            options={
                'verbose_name': 'ticket in an offer',
                'verbose_name_plural': 'tickets in offers',
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(models.F('offer'), models.F('ticket'), name='offer_ticket_once'), models.UniqueConstraint(models.F('ticket'), condition=models.Q(('live', True)), name='offer_one_live_per_ticket'), models.CheckConstraint(condition=models.Q(('accepted_at__isnull', True), ('declined_at__isnull', True), _connector='OR'), name='offer_ticket_one_answer')],
            },
        ),
        migrations.CreateModel(
            name='TicketMember',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('live', models.BooleanField(default=True, help_text="Follows the ticket's state.", verbose_name='live')),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='tickets', to='ratings.player', verbose_name='player')),
                ('ticket', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='members', to='matchmaking.ticket', verbose_name='ticket')),
                ('character', models.CharField(blank=True, db_default='', help_text='Chosen before the search; hidden from opponents until all have accepted.', max_length=60, verbose_name='character')),
                ('roles', models.JSONField(blank=True, db_default=models.Value([], models.JSONField()), default=list, help_text='Roles the player would play. Empty: any.', verbose_name='roles')),
            ],
            options={
                'verbose_name': 'ticket member',
                'verbose_name_plural': 'ticket members',
                'ordering': ['id'],
                'indexes': [models.Index(fields=['player', '-id'], name='ticket_of_player')],
                'constraints': [models.UniqueConstraint(models.F('ticket'), models.F('player'), name='ticket_member_once'), models.UniqueConstraint(models.F('player'), condition=models.Q(('live', True)), name='ticket_one_live_per_player', violation_error_message='This player is searching already.')],
            },
        ),
        migrations.CreateModel(
            name='Avoided',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), editable=False, verbose_name='added')),
                ('avoided', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ratings.player', verbose_name='blocked player')),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='avoids', to='ratings.player', verbose_name='player')),
            ],
            options={
                'verbose_name': 'blocked player',
                'verbose_name_plural': 'blocked players',
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(models.F('player'), models.F('avoided'), name='avoided_once'), models.CheckConstraint(condition=models.Q(('player', models.F('avoided')), _negated=True), name='avoided_is_somebody_else')],
            },
        ),
        # By themselves: they are there at once, and not only at the end of the migration, when the keys refer to them.
        migrations.AddConstraint(
            model_name='party',
            constraint=models.UniqueConstraint(fields=('id', 'live'), name='party_live'),
        ),
        migrations.AddConstraint(
            model_name='partymember',
            constraint=models.UniqueConstraint(fields=('party', 'player', 'here'), name='party_member_once'),
        ),
        migrations.RunSQL(
            LEADER_IS_A_MEMBER, 'ALTER TABLE matchmaking_party DROP CONSTRAINT party_leader_is_a_member'
        ),
        migrations.RunSQL(
            MEMBERS_OF_LIVE_PARTIES,
            'ALTER TABLE matchmaking_partymember DROP CONSTRAINT party_member_of_a_live_party',
        ),
    ]
