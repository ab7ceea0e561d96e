"""Tables of clans.

The leader of a clan is a member of it, members know how many it may have and since when they are in it: held by foreign
keys. What stands beside the names of members the database writes itself.
"""

import django.contrib.postgres.functions
import django.core.validators
import django.db.models.deletion
from django.db import migrations, models


LEADER_IS_A_MEMBER = """
ALTER TABLE clans_clan ADD CONSTRAINT clan_leader_is_a_member FOREIGN KEY (id, leader_id)
    REFERENCES clans_membership (clan_id, player_id) DEFERRABLE INITIALLY DEFERRED
"""
# Where a clan gets other places, members follow at once.
PLACES_OF_THE_CLAN = """
ALTER TABLE clans_membership ADD CONSTRAINT clan_member_places FOREIGN KEY (clan_id, most)
    REFERENCES clans_clan (id, most) ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED
"""
SPAN_OF_THE_MEMBER = """
ALTER TABLE clans_membership ADD CONSTRAINT clan_member_span FOREIGN KEY (span_id, clan_id, player_id)
    REFERENCES clans_span (id, clan_id, player_id) DEFERRABLE INITIALLY DEFERRED
"""
TAGS_FOLLOW = """
CREATE FUNCTION clans_tag_of_member() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' AND (TG_OP = 'DELETE' OR OLD.player_id <> NEW.player_id) THEN
        UPDATE ratings_player SET clan_tag = '' WHERE id = OLD.player_id;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        UPDATE ratings_player SET clan_tag = (SELECT tag FROM clans_clan WHERE id = NEW.clan_id)
        WHERE id = NEW.player_id;
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER tag_of_member AFTER INSERT OR DELETE OR UPDATE OF player_id, clan_id ON clans_membership
    FOR EACH ROW EXECUTE FUNCTION clans_tag_of_member();
CREATE FUNCTION clans_tag_of_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE ratings_player SET clan_tag = NEW.tag
    WHERE id IN (SELECT player_id FROM clans_membership WHERE clan_id = NEW.id);
    RETURN NULL;
END
$$;
CREATE TRIGGER tag_of_members AFTER UPDATE OF tag ON clans_clan
    FOR EACH ROW WHEN (OLD.tag <> NEW.tag) EXECUTE FUNCTION clans_tag_of_members();
"""
TAGS_STAY = """
DROP FUNCTION clans_tag_of_member() CASCADE;
DROP FUNCTION clans_tag_of_members() CASCADE;
UPDATE ratings_player SET clan_tag = '' WHERE clan_tag <> '';
"""


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('ratings', '0048_clan_tags'),
    ]

    operations = [
        migrations.CreateModel(
            name='Clan',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40, verbose_name='name')),
                ('name_skeleton', models.CharField(editable=False, max_length=200, verbose_name='comparable name')),
                ('tag', models.CharField(help_text='Stands beside the names of members.', max_length=6, verbose_name='tag of the clan')),
                ('tag_skeleton', models.CharField(editable=False, max_length=60, verbose_name='comparable tag')),
                ('note', models.CharField(blank=True, max_length=300, verbose_name='note')),
                ('access', models.CharField(choices=[('open', 'everyone'), ('apply', 'those who apply and are accepted'), ('invited', 'those who are invited'), ('closed', 'nobody for now')], default='apply', max_length=10, verbose_name='who may join')),
                ('most', models.PositiveSmallIntegerField(verbose_name='members at most')),
                ('founded_at', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), editable=False, verbose_name='founded')),
                ('ended_at', models.DateTimeField(editable=False, null=True, verbose_name='dissolved')),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.game', verbose_name='game')),
                ('leader', models.ForeignKey(help_text='Empty: the clan was dissolved.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.player', verbose_name='leader')),
            ],
            options={
                'verbose_name': 'clan',
                'verbose_name_plural': 'clans',
                'ordering': ['-id'],
                'permissions': [('dissolve_clan', 'Can dissolve clans')],
            },
        ),
        migrations.CreateModel(
            name='Application',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), editable=False, verbose_name='asked')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ratings.player', verbose_name='player')),
                ('clan', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='applications', to='clans.clan', verbose_name='clan')),
            ],
            options={
                'verbose_name': 'application to a clan',
                'verbose_name_plural': 'applications to clans',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='ClanRules',
            fields=[
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to='ratings.game', verbose_name='game')),
                ('is_open', models.BooleanField(default=True, help_text='Clans that are there stay in any case.', verbose_name='players may found clans')),
                ('most_members', models.PositiveSmallIntegerField(default=50, help_text='Of one clan. 2 to 200.', validators=[django.core.validators.MinValueValidator(2), django.core.validators.MaxValueValidator(200)], verbose_name='members at most')),
            ],
            options={
                'verbose_name': 'rules of clans',
                'verbose_name_plural': 'rules of clans',
                'ordering': ['game_id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('most_members__gte', 2), ('most_members__lte', 200)), name='clan_rules_most_members')],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), editable=False, verbose_name='invited')),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ratings.player', verbose_name='invited by')),
                ('clan', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='clans.clan', verbose_name='clan')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ratings.player', verbose_name='player')),
            ],
            options={
                'verbose_name': 'invitation to a clan',
                'verbose_name_plural': 'invitations to clans',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Removal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('clan', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='removals', to='clans.clan', verbose_name='clan')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ratings.player', verbose_name='player')),
            ],
            options={
                'verbose_name': 'removal from a clan',
                'verbose_name_plural': 'removals from clans',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Span',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.DateTimeField(editable=False, verbose_name='joined')),
                ('until', models.DateTimeField(editable=False, null=True, verbose_name='left')),
                ('clan', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='spans', to='clans.clan', verbose_name='clan')),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.player', verbose_name='player')),
            ],
            options={
                'verbose_name': 'time in a clan',
                'verbose_name_plural': 'times in clans',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveSmallIntegerField(editable=False, verbose_name='place')),
                ('most', models.PositiveSmallIntegerField(editable=False, verbose_name='members at most')),
                ('is_officer', models.BooleanField(default=False, verbose_name='officer')),
                ('joined_at', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), editable=False, verbose_name='joined')),
                ('clan', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='members', to='clans.clan', verbose_name='clan')),
                ('player', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.player', verbose_name='player')),
                ('span', models.OneToOneField(editable=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='clans.span', verbose_name='time in the clan')),
            ],
            options={
                'verbose_name': 'member of a clan',
                'verbose_name_plural': 'members of clans',
                'ordering': ['id'],
            },
        ),
        migrations.AddIndex(
            model_name='clan',
            index=models.Index(condition=models.Q(('ended_at__isnull', True)), fields=['game', '-id'], name='clan_listed'),
        ),
        migrations.AddConstraint(
            model_name='clan',
            constraint=models.UniqueConstraint(fields=('id', 'most'), name='clan_most'),
        ),
        migrations.AddConstraint(
            model_name='clan',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('game', 'name_skeleton'), name='clan_name_unique'),
        ),
        migrations.AddConstraint(
            model_name='clan',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('game', 'tag_skeleton'), name='clan_tag_unique'),
        ),
        migrations.AddConstraint(
            model_name='clan',
            constraint=models.CheckConstraint(condition=models.Q(('most__gte', 2), ('most__lte', 200)), name='clan_size'),
        ),
        migrations.AddConstraint(
            model_name='clan',
            constraint=models.CheckConstraint(condition=models.Q(('access__in', ['open', 'apply', 'invited', 'closed'])), name='clan_access'),
        ),
        migrations.AddConstraint(
            model_name='clan',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', False), ('leader__isnull', True)), models.Q(('ended_at__isnull', True), ('leader__isnull', False)), _connector='OR'), name='clan_is_led_until_it_ends'),
        ),
        migrations.AddConstraint(
            model_name='clan',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('name', ''), _negated=True), models.Q(('tag', ''), _negated=True)), name='clan_has_a_name'),
        ),
        migrations.AddConstraint(
            model_name='clan',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('name__regex', '[\\u0001-\\u001f\\u007f-\\u009f\\u00ad\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff]'), _negated=True), models.Q(('tag__regex', '[\\u0001-\\u001f\\u007f-\\u009f\\u00ad\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff]'), _negated=True), models.Q(('note__regex', '[\\u0001-\\u001f\\u007f-\\u009f\\u00ad\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff]'), _negated=True)), name='clan_texts_can_be_shown'),
        ),
        migrations.AddIndex(
            model_name='application',
            index=models.Index(fields=['at'], name='clan_applied_at'),
        ),
        migrations.AddConstraint(
            model_name='application',
            constraint=models.UniqueConstraint(models.F('clan'), models.F('player'), name='clan_applied_once'),
        ),
        migrations.AddIndex(
            model_name='invitation',
            index=models.Index(fields=['at'], name='clan_invited_at'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.UniqueConstraint(models.F('clan'), models.F('player'), name='clan_invited_once'),
        ),
        migrations.AddConstraint(
            model_name='removal',
            constraint=models.UniqueConstraint(models.F('clan'), models.F('player'), name='clan_removed_once'),
        ),
        migrations.AddIndex(
            model_name='span',
            index=models.Index(fields=['player', 'since'], name='clan_span_of_player'),
        ),
        migrations.AddIndex(
            model_name='span',
            index=models.Index(fields=['clan', 'id'], name='clan_span_of_clan'),
        ),
        migrations.AddConstraint(
            model_name='span',
            constraint=models.UniqueConstraint(fields=('id', 'clan', 'player'), name='clan_span_of_member'),
        ),
        migrations.AddConstraint(
            model_name='span',
            constraint=models.UniqueConstraint(condition=models.Q(('until__isnull', True)), fields=('player',), name='clan_one_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='span',
            constraint=models.CheckConstraint(condition=models.Q(('until__isnull', True), ('until__gte', models.F('since')), _connector='OR'), name='clan_span_ends_after_it_begins'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.UniqueConstraint(fields=('clan', 'player'), name='clan_member_once'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.UniqueConstraint(fields=('clan', 'place'), name='clan_place_once'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.CheckConstraint(condition=models.Q(('place__lt', models.F('most'))), name='clan_place_exists'),
        ),
        migrations.RunSQL(LEADER_IS_A_MEMBER, 'ALTER TABLE clans_clan DROP CONSTRAINT clan_leader_is_a_member'),
        migrations.RunSQL(PLACES_OF_THE_CLAN, 'ALTER TABLE clans_membership DROP CONSTRAINT clan_member_places'),
        migrations.RunSQL(SPAN_OF_THE_MEMBER, 'ALTER TABLE clans_membership DROP CONSTRAINT clan_member_span'),
        migrations.RunSQL(TAGS_FOLLOW, TAGS_STAY),
    ]
