"""Server keys may set up games: of one or of all, and make keys that end with them."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    works_with_release_before = "what it asks of is new: the release before makes no key with the scope admin, of all games, or by a key"

    dependencies = [
        ('api', '0001_squashed_0004_words_of_scopes'),
        ('ratings', '0024_names'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='serverkey',
            name='server_key_scopes',
        ),
        migrations.AddField(
            model_name='serverkey',
            name='issued_by',
            field=models.ForeignKey(editable=False, help_text='Empty: by a person, or a command.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='issued_keys', to='api.serverkey', verbose_name='created by the key'),
        ),
        migrations.AlterField(
            model_name='playertoken',
            name='scopes',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('read', 'read what is not public'), ('play', 'search, accept, report'), ('players:write', 'add players, create tokens that act as any player'), ('tickets:write', 'search and accept for players'), ('matches:write', 'decide and abort matches'), ('results:write', 'report matches played elsewhere'), ('admin', 'set up games, ladders, queues and keys')], max_length=20), size=None, verbose_name='scopes'),
        ),
        migrations.AlterField(
            model_name='serverkey',
            name='game',
            field=models.ForeignKey(blank=True, help_text='Empty: all games, and those to come. Only for the scope “admin” alone.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='server_keys', to='ratings.game', verbose_name='game'),
        ),
        migrations.AlterField(
            model_name='serverkey',
            name='scopes',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('read', 'read what is not public'), ('play', 'search, accept, report'), ('players:write', 'add players, create tokens that act as any player'), ('tickets:write', 'search and accept for players'), ('matches:write', 'decide and abort matches'), ('results:write', 'report matches played elsewhere'), ('admin', 'set up games, ladders, queues and keys')], max_length=20), size=None, verbose_name='scopes'),
        ),
        migrations.AddConstraint(
            model_name='serverkey',
            constraint=models.CheckConstraint(condition=models.Q(('scopes__contained_by', ['read', 'players:write', 'tickets:write', 'matches:write', 'results:write', 'admin']), ('scopes__len__gte', 1)), name='server_key_scopes'),
        ),
        migrations.AddConstraint(
            model_name='serverkey',
            constraint=models.CheckConstraint(condition=models.Q(('game__isnull', False), ('scopes', ['admin']), _connector='OR'), name='server_key_of_all_games_only_administers', violation_error_message='A key of all games has the scope “admin” and no other: choose a game, or that scope alone.'),
        ),
        migrations.AddConstraint(
            model_name='serverkey',
            constraint=models.CheckConstraint(condition=models.Q(('issued_by__isnull', True), models.Q(('scopes__contains', ['admin']), _negated=True), _connector='OR'), name='server_key_of_a_key_does_not_administer'),
        ),
    ]
