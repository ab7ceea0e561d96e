"""Tables of rooms.

The host of a live room is a live member of it, live members are in live rooms only, and members know how many seats
their room has: held by foreign keys, checked when a transaction commits.
"""

import django.contrib.postgres.functions
import django.core.validators
import django.db.models.deletion
import django.db.models.expressions
from django.db import migrations, models

HOST_IS_A_MEMBER = """
ALTER TABLE rooms_room ADD CONSTRAINT room_host_is_a_member FOREIGN KEY (id, host_id, live)
    REFERENCES rooms_roommember (room_id, player_id, here) DEFERRABLE INITIALLY DEFERRED
"""
MEMBERS_OF_LIVE_ROOMS = """
ALTER TABLE rooms_roommember ADD CONSTRAINT room_member_of_a_live_room FOREIGN KEY (room_id, here)
    REFERENCES rooms_room (id, live) DEFERRABLE INITIALLY DEFERRED
"""
SEATS_OF_THE_ROOM = """
ALTER TABLE rooms_roommember ADD CONSTRAINT room_member_seats FOREIGN KEY (room_id, seats)
    REFERENCES rooms_room (id, seats) DEFERRABLE INITIALLY DEFERRED
"""
LADDER_OF_THE_GAME = """
ALTER TABLE rooms_room ADD CONSTRAINT room_ladder_of_its_game FOREIGN KEY (ladder_id, game_id)
    REFERENCES ratings_ladder (id, game_id) DEFERRABLE INITIALLY DEFERRED
"""


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('ratings', '0032_index_of_annulled_matches'),
    ]

    operations = [
        migrations.CreateModel(
            name='Room',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('note', models.CharField(blank=True, max_length=200, verbose_name='note')),
                ('category', models.CharField(max_length=30, verbose_name='category')),
                ('code', models.CharField(editable=False, max_length=20, unique=True, verbose_name='invitation code')),
                ('access', models.CharField(choices=[('open', 'everyone'), ('friends', 'friends of the host'), ('code', 'those with the code')], default='open', max_length=10, verbose_name='who may come')),
                ('team_count', models.PositiveSmallIntegerField(editable=False, verbose_name='teams in a match')),
                ('team_size', models.PositiveSmallIntegerField(editable=False, verbose_name='players in a team')),
                ('seats', models.PositiveSmallIntegerField(editable=False, verbose_name='seats')),
                ('team_choice', models.CharField(choices=[('seated', 'as seated'), ('balanced', 'balanced'), ('draft', 'captains pick')], default='seated', max_length=10, verbose_name='how teams are made')),
                ('map_choice', models.CharField(choices=[('game', 'the game chooses'), ('host', 'the host chooses'), ('vote', 'by vote'), ('veto', 'captains strike out in turns')], default='game', max_length=10, verbose_name='how the map is chosen')),
                ('map', models.CharField(blank=True, max_length=60, verbose_name='map')),
                ('struck', models.JSONField(blank=True, db_default=models.Value([], models.JSONField()), default=list, verbose_name='maps struck out')),
                ('start_rule', models.CharField(choices=[('host', 'when the host says so'), ('full', 'as soon as the room is full'), ('ready', 'as soon as the room is full and all are ready')], default='host', max_length=10, verbose_name='when it starts')),
                ('rated', models.BooleanField(default=True, help_text='Whether the match counts for ratings.', verbose_name='rated')),
                ('options', models.JSONField(blank=True, db_default=models.Value([], models.JSONField()), default=list, help_text='Words that players and the game are shown.', verbose_name='options')),
                ('filters', models.JSONField(blank=True, db_default=models.Value({}, models.JSONField()), default=dict, help_text='What players must be like to come in.', verbose_name='filters')),
                ('state', models.CharField(choices=[('open', 'open'), ('drafting', 'drafting'), ('starting', 'starting'), ('started', 'started'), ('closed', 'closed')], default='open', max_length=10, verbose_name='state')),
                ('created_at', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), editable=False, verbose_name='created')),
                ('active_at', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), editable=False, verbose_name='last active')),
                ('turn_began_at', models.DateTimeField(editable=False, null=True, verbose_name='turn began')),
                ('turn_ends_at', models.DateTimeField(editable=False, null=True, verbose_name='turn ends')),
                ('ended_at', models.DateTimeField(blank=True, null=True, verbose_name='ended')),
                ('revision', models.PositiveIntegerField(default=0, editable=False, verbose_name='revision')),
                ('live', models.GeneratedField(db_persist=True, expression=models.Case(models.When(ended_at__isnull=True, then=models.Value(True))), output_field=models.BooleanField(null=True), verbose_name='live')),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.game', verbose_name='game')),
                ('host', models.ForeignKey(help_text='Says how the match is to be, and may remove players.', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.player', verbose_name='host')),
                ('ladder', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rooms', to='ratings.ladder', verbose_name='ladder')),
                ('match', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='room', to='ratings.match', verbose_name='match')),
            ],
            options={
                'verbose_name': 'room',
                'verbose_name_plural': 'rooms',
                'ordering': ['-id'],
                'permissions': [('close_room', 'Can close rooms')],
            },
        ),
        migrations.CreateModel(
            name='RoomMember',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('live', models.BooleanField(default=True, help_text='Until the player leaves.', verbose_name='live')),
                ('removed', models.BooleanField(default=False, help_text='By the host, for good.', verbose_name='removed')),
                ('seat', models.PositiveSmallIntegerField(blank=True, help_text='From 0, team by team. Empty: watches.', null=True, verbose_name='seat')),
                ('seats', models.PositiveSmallIntegerField(editable=False, verbose_name='seats')),
                ('is_ready', models.BooleanField(default=False, verbose_name='ready')),
                ('team', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='team')),
                ('picked', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='pick')),
                ('vote', models.CharField(blank=True, max_length=60, verbose_name='vote for a map')),
                ('wishes', models.JSONField(blank=True, db_default=models.Value({}, models.JSONField()), default=dict, verbose_name='preferences')),
                ('misfit', models.CharField(blank=True, db_default='', help_text='What of the filters, as the host has changed them since.', max_length=30, verbose_name='no longer fits')),
                ('joined_at', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), verbose_name='joined')),
                ('seen_at', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), verbose_name='last heard from')),
                ('left_at', models.DateTimeField(blank=True, null=True, verbose_name='left')),
                ('here', models.GeneratedField(db_persist=True, expression=models.Case(models.When(live=True, then=models.Value(True))), output_field=models.BooleanField(null=True), verbose_name='in the room')),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='rooms', to='ratings.player', verbose_name='player')),
                ('room', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='members', to='rooms.room', verbose_name='room')),
            ],
            options={
                'verbose_name': 'room member',
                'verbose_name_plural': 'room members',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Lobby',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_open', models.BooleanField(default=True, help_text='A closed lobby takes no new rooms.', verbose_name='open')),
                ('categories', models.TextField(blank=True, help_text='One a line. Empty: casual, serious, beginners, custom.', verbose_name='categories')),
                ('idle_minutes', models.PositiveIntegerField(default=30, help_text='A room in which nobody has done anything for this long closes. 1 to 1,440.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(1440)], verbose_name='minutes until an idle room closes')),
                ('silent_seconds', models.PositiveIntegerField(default=120, help_text='Counted from the last sign of life of a page or game. 20 to 3,600.', validators=[django.core.validators.MinValueValidator(20), django.core.validators.MaxValueValidator(3600)], verbose_name='seconds until a silent player loses the seat')),
                ('turn_seconds', models.PositiveIntegerField(default=30, help_text='When they are over, the pick is made by rule. 5 to 600.', validators=[django.core.validators.MinValueValidator(5), django.core.validators.MaxValueValidator(600)], verbose_name='seconds for a pick or a veto')),
                ('most_rooms', models.PositiveIntegerField(default=500, help_text='Open at the same time. 1 to 10,000.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(10000)], verbose_name='rooms at most')),
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='lobby', to='ratings.game', verbose_name='game')),
            ],
            options={
                'verbose_name': 'lobby',
                'verbose_name_plural': 'lobbies',
                'ordering': ['game_id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('idle_minutes__gte', 1), ('idle_minutes__lte', 1440)), name='lobby_idle_minutes'), models.CheckConstraint(condition=models.Q(('silent_seconds__gte', 20), ('silent_seconds__lte', 3600)), name='lobby_silent_seconds'), models.CheckConstraint(condition=models.Q(('turn_seconds__gte', 5), ('turn_seconds__lte', 600)), name='lobby_turn_seconds'), models.CheckConstraint(condition=models.Q(('most_rooms__gte', 1), ('most_rooms__lte', 10000)), name='lobby_most_rooms')],
            },
        ),
        migrations.AddIndex(
            model_name='room',
            index=models.Index(condition=models.Q(('ended_at__isnull', True)), fields=['game', '-id'], name='room_listed'),
        ),
        migrations.AddIndex(
            model_name='room',
            index=models.Index(condition=models.Q(('turn_ends_at__isnull', False)), fields=['turn_ends_at'], name='room_turns'),
        ),
        migrations.AddIndex(
            model_name='room',
            index=models.Index(condition=models.Q(('ended_at__isnull', False)), fields=['ended_at'], name='room_ended'),
        ),
        migrations.AddConstraint(
            model_name='room',
            constraint=models.UniqueConstraint(fields=('id', 'live'), name='room_live'),
        ),
        migrations.AddConstraint(
            model_name='room',
            constraint=models.UniqueConstraint(fields=('id', 'seats'), name='room_seats'),
        ),
        migrations.AddConstraint(
            model_name='room',
            constraint=models.CheckConstraint(condition=models.Q(('team_count__gte', 2), ('team_size__gte', 1), ('seats', django.db.models.expressions.CombinedExpression(models.F('team_count'), '*', models.F('team_size')))), name='room_shape'),
        ),
        migrations.AddConstraint(
            model_name='room',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', True), ('state__in', ['open', 'drafting', 'starting'])), models.Q(models.Q(('state__in', ['open', 'drafting', 'starting']), _negated=True), ('ended_at__isnull', False)), _connector='OR'), name='room_ended_has_a_time'),
        ),
        migrations.AddConstraint(
            model_name='room',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('match__isnull', False), ('state', 'started')), models.Q(models.Q(('state', 'started'), _negated=True), ('match__isnull', True)), _connector='OR'), name='room_started_has_a_match'),
        ),
        migrations.AddConstraint(
            model_name='room',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('turn_began_at__isnull', True), ('turn_ends_at__isnull', True)), models.Q(('turn_began_at__isnull', False), ('turn_ends_at__isnull', False)), _connector='OR'), name='room_turn_ends'),
        ),
        migrations.AddConstraint(
            model_name='room',
            constraint=models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='room_has_a_name'),
        ),
        migrations.AddConstraint(
            model_name='room',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('name__regex', '[\\u0001-\\u001f\\u007f-\\u009f\\u00ad\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff]'), _negated=True), models.Q(('note__regex', '[\\u0001-\\u001f\\u007f-\\u009f\\u00ad\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff]'), _negated=True)), name='room_texts_can_be_shown'),
        ),
        migrations.AddIndex(
            model_name='roommember',
            index=models.Index(fields=['player', '-id'], name='room_of_player'),
        ),
        migrations.AddConstraint(
            model_name='roommember',
            constraint=models.UniqueConstraint(fields=('room', 'player'), name='room_member_once'),
        ),
        migrations.AddConstraint(
            model_name='roommember',
            constraint=models.UniqueConstraint(fields=('room', 'player', 'here'), name='room_member_here'),
        ),
        migrations.AddConstraint(
            model_name='roommember',
            constraint=models.UniqueConstraint(models.F('player'), condition=models.Q(('live', True)), name='room_one_live_per_player', violation_error_message='This player is in a room already.'),
        ),
        migrations.AddConstraint(
            model_name='roommember',
            constraint=models.UniqueConstraint(models.F('room'), models.F('seat'), condition=models.Q(('live', True), ('seat__isnull', False)), name='room_seat_once'),
        ),
        migrations.AddConstraint(
            model_name='roommember',
            constraint=models.CheckConstraint(condition=models.Q(('seat__isnull', True), ('seat__lt', models.F('seats')), _connector='OR'), name='room_seat_exists'),
        ),
        migrations.AddConstraint(
            model_name='roommember',
            constraint=models.CheckConstraint(condition=models.Q(('live', False), ('removed', False), _connector='OR'), name='room_removed_stays_out'),
        ),
        migrations.AddConstraint(
            model_name='roommember',
            constraint=models.CheckConstraint(condition=models.Q(('live', True), ('left_at__isnull', False), _connector='OR'), name='room_left_has_a_time'),
        ),
        migrations.AddConstraint(
            model_name='roommember',
            constraint=models.UniqueConstraint(models.F('room'), models.F('picked'), condition=models.Q(('live', True), ('picked__gt', 0)), name='room_pick_once'),
        ),
        migrations.RunSQL(HOST_IS_A_MEMBER, 'ALTER TABLE rooms_room DROP CONSTRAINT room_host_is_a_member'),
        migrations.RunSQL(
            MEMBERS_OF_LIVE_ROOMS, 'ALTER TABLE rooms_roommember DROP CONSTRAINT room_member_of_a_live_room'
        ),
        migrations.RunSQL(SEATS_OF_THE_ROOM, 'ALTER TABLE rooms_roommember DROP CONSTRAINT room_member_seats'),
        migrations.RunSQL(LADDER_OF_THE_GAME, 'ALTER TABLE rooms_room DROP CONSTRAINT room_ladder_of_its_game'),
    ]
