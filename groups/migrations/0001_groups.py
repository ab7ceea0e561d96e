"""Tables of groups.

The owner of a group is a member of it, and members know how many it may have: held by foreign keys.
"""

import django.contrib.postgres.functions
import django.core.validators
import django.db.models.deletion
from django.db import migrations, models


OWNER_IS_A_MEMBER = """
ALTER TABLE groups_group ADD CONSTRAINT group_owner_is_a_member FOREIGN KEY (id, owner_id)
    REFERENCES groups_membership (group_id, player_id) DEFERRABLE INITIALLY DEFERRED
"""
# Where a group gets other places, members follow at once.
PLACES_OF_THE_GROUP = """
ALTER TABLE groups_membership ADD CONSTRAINT group_member_places FOREIGN KEY (group_id, most)
    REFERENCES groups_group (id, most) ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED
"""


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('matchmaking', '0019_rounds'),
        ('ratings', '0035_talk'),
    ]

    operations = [
        migrations.CreateModel(
            name='SuggestionWish',
            fields=[
                ('player', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to='ratings.player', verbose_name='player')),
                ('since', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), editable=False, verbose_name='since')),
            ],
            options={
                'verbose_name': 'wish for suggestions',
                'verbose_name_plural': 'wishes for suggestions',
            },
        ),
        migrations.CreateModel(
            name='Group',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(blank=True, max_length=60, verbose_name='name')),
                ('note', models.CharField(blank=True, max_length=200, verbose_name='note')),
                ('access', models.CharField(choices=[('open', 'everyone'), ('invited', 'those who are invited'), ('closed', 'nobody for now')], default='invited', max_length=10, verbose_name='who may join')),
                ('most', models.PositiveSmallIntegerField(verbose_name='members at most')),
                ('ends_at', models.DateTimeField(blank=True, help_text='Of a random group that its members have not kept.', null=True, verbose_name='ends')),
                ('is_drawn', models.BooleanField(default=False, editable=False, help_text='Put together by lot.', verbose_name='random group')),
                ('created_at', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), editable=False, verbose_name='made')),
                ('game', models.ForeignKey(blank=True, db_index=False, help_text='Empty: for players of all games.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.game', verbose_name='game')),
                ('owner', models.ForeignKey(help_text='Says how the group is, and may remove members.', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.player', verbose_name='owner')),
            ],
            options={
                'verbose_name': 'group of players',
                'verbose_name_plural': 'groups of players',
                'ordering': ['-id'],
                'permissions': [('dissolve_group', 'Can dissolve groups of players')],
            },
        ),
        migrations.CreateModel(
            name='GroupRules',
            fields=[
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to='ratings.game', verbose_name='game')),
                ('is_open', models.BooleanField(default=True, help_text='Groups that are there stay in any case.', verbose_name='players may make groups')),
                ('most_members', models.PositiveSmallIntegerField(default=30, help_text='Of one group. 2 to 200.', validators=[django.core.validators.MinValueValidator(2), django.core.validators.MaxValueValidator(200)], verbose_name='members at most')),
                ('most_groups', models.PositiveSmallIntegerField(default=10, help_text='In which one player may be. 1 to 100.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(100)], verbose_name='groups at most')),
                ('suggests', models.BooleanField(default=True, help_text='Friends and groups are suggested to players who want that.', verbose_name='suggestions')),
                ('draws', models.BooleanField(default=True, help_text='Players who want that are put together by lot.', verbose_name='random groups')),
                ('draw_hours', models.PositiveSmallIntegerField(default=24, help_text='1 to 720.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(720)], verbose_name='hours between draws')),
                ('draw_size', models.PositiveSmallIntegerField(default=4, help_text='2 to 20.', validators=[django.core.validators.MinValueValidator(2), django.core.validators.MaxValueValidator(20)], verbose_name='members of a random group')),
                ('draw_days', models.PositiveSmallIntegerField(default=14, help_text='Then it ends, unless its members keep it. 1 to 365.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(365)], verbose_name='days of a random group')),
                ('drawn_at', models.DateTimeField(editable=False, null=True, verbose_name='last draw')),
            ],
            options={
                'verbose_name': 'rules of groups',
                'verbose_name_plural': 'rules of groups',
                'ordering': ['game_id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('most_members__gte', 2), ('most_members__lte', 200)), name='group_rules_most_members'), models.CheckConstraint(condition=models.Q(('most_groups__gte', 1), ('most_groups__lte', 100)), name='group_rules_most_groups'), models.CheckConstraint(condition=models.Q(('draw_hours__gte', 1), ('draw_hours__lte', 720)), name='group_rules_draw_hours'), models.CheckConstraint(condition=models.Q(('draw_size__gte', 2), ('draw_size__lte', 20)), name='group_rules_draw_size'), models.CheckConstraint(condition=models.Q(('draw_days__gte', 1), ('draw_days__lte', 365)), name='group_rules_draw_days')],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), editable=False, verbose_name='invited')),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ratings.player', verbose_name='invited by')),
                ('group', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='groups.group', verbose_name='group')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ratings.player', verbose_name='player')),
            ],
            options={
                'verbose_name': 'invitation to a group',
                'verbose_name_plural': 'invitations to groups',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveSmallIntegerField(editable=False, verbose_name='place')),
                ('most', models.PositiveSmallIntegerField(editable=False, verbose_name='members at most')),
                ('shows', models.BooleanField(default=False, help_text='To the group, as to friends: whether it searches, plays, or is in a room.', verbose_name='shows what it is at')),
                ('keeps', models.BooleanField(default=False, help_text='A random group, beyond its time.', verbose_name='wants to keep it')),
                ('joined_at', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), editable=False, verbose_name='joined')),
                ('group', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='members', to='groups.group', verbose_name='group')),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.player', verbose_name='player')),
            ],
            options={
                'verbose_name': 'member of a group',
                'verbose_name_plural': 'members of groups',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Removal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('group', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='removals', to='groups.group', verbose_name='group')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ratings.player', verbose_name='player')),
            ],
            options={
                'verbose_name': 'removal from a group',
                'verbose_name_plural': 'removals from groups',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='DrawWish',
            fields=[
                ('player', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to='ratings.player', verbose_name='player')),
                ('language', models.CharField(blank=True, default='', help_text='With players who want this one, or any.', max_length=8, verbose_name='language')),
                ('since', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), editable=False, verbose_name='since')),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ratings.game', verbose_name='game')),
                ('queue', models.ForeignKey(blank=True, help_text='With players who want this one, or any.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='matchmaking.queue', verbose_name='queue')),
            ],
            options={
                'verbose_name': 'wish for a random group',
                'verbose_name_plural': 'wishes for random groups',
                'indexes': [models.Index(fields=['game', 'since'], name='draw_wish_of_game')],
                'constraints': [models.CheckConstraint(condition=models.Q(('language', ''), ('language__regex', '^[a-z]{2,3}(-[a-z]{2,4})?$'), _connector='OR'), name='draw_wish_language')],
            },
        ),
        migrations.AddIndex(
            model_name='group',
            index=models.Index(condition=models.Q(('access', 'open')), fields=['game', '-id'], name='group_listed'),
        ),
        migrations.AddIndex(
            model_name='group',
            index=models.Index(condition=models.Q(('ends_at__isnull', False)), fields=['ends_at'], name='group_ending'),
        ),
        migrations.AddConstraint(
            model_name='group',
            constraint=models.UniqueConstraint(fields=('id', 'most'), name='group_most'),
        ),
        migrations.AddConstraint(
            model_name='group',
            constraint=models.CheckConstraint(condition=models.Q(('most__gte', 2), ('most__lte', 200)), name='group_size'),
        ),
        migrations.AddConstraint(
            model_name='group',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('name', ''), _negated=True), ('is_drawn', True), _connector='OR'), name='group_has_a_name'),
        ),
        migrations.AddConstraint(
            model_name='group',
            constraint=models.CheckConstraint(condition=models.Q(('access__in', ['open', 'invited', 'closed'])), name='group_access'),
        ),
        migrations.AddConstraint(
            model_name='group',
            constraint=models.CheckConstraint(condition=models.Q(('ends_at__isnull', True), ('is_drawn', True), _connector='OR'), name='group_drawn_ends'),
        ),
        migrations.AddConstraint(
            model_name='group',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('name__regex', '[\\u0001-\\u001f\\u007f-\\u009f\\u00ad\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff]'), _negated=True), models.Q(('note__regex', '[\\u0001-\\u001f\\u007f-\\u009f\\u00ad\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff]'), _negated=True)), name='group_texts_can_be_shown'),
        ),
        migrations.AddIndex(
            model_name='invitation',
            index=models.Index(fields=['at'], name='group_invited_at'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.UniqueConstraint(models.F('group'), models.F('player'), name='group_invited_once'),
        ),
        migrations.AddIndex(
            model_name='membership',
            index=models.Index(fields=['player', '-id'], name='group_of_player'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.UniqueConstraint(fields=('group', 'player'), name='group_member_once'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.UniqueConstraint(fields=('group', 'place'), name='group_place_once'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.CheckConstraint(condition=models.Q(('place__lt', models.F('most'))), name='group_place_exists'),
        ),
        migrations.AddConstraint(
            model_name='removal',
            constraint=models.UniqueConstraint(models.F('group'), models.F('player'), name='group_removed_once'),
        ),
        migrations.RunSQL(OWNER_IS_A_MEMBER, 'ALTER TABLE groups_group DROP CONSTRAINT group_owner_is_a_member'),
        migrations.RunSQL(
            PLACES_OF_THE_GROUP, 'ALTER TABLE groups_membership DROP CONSTRAINT group_member_places'
        ),
    ]
