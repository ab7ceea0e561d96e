"""Tables of api, as the first four migrations left them."""

import django.contrib.postgres.fields
import django.contrib.postgres.functions
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [
        ('api', '0001_initial'),
        ('api', '0002_stored_location'),
        ('api', '0003_words'),
        ('api', '0004_words_of_scopes'),
    ]

    initial = True

    dependencies = [
        ('ratings', '0001_squashed_0021_open_disputes'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ServerKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='To tell it from others later.', max_length=80, verbose_name='name')),
                ('prefix', models.CharField(editable=False, max_length=8, unique=True, verbose_name='begins with')),
                ('digest', models.CharField(editable=False, max_length=64, verbose_name='SHA-256')),
                ('scopes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('read', 'read what is not public'), ('play', 'search, accept, report'), ('players:write', 'add players, create tokens that act as any player'), ('tickets:write', 'search and accept for players'), ('matches:write', 'decide and abort matches'), ('results:write', 'report matches played elsewhere')], max_length=20), size=None, verbose_name='scopes')),
                ('created_at', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), editable=False, verbose_name='created')),
                ('expires_at', models.DateTimeField(blank=True, help_text='Empty: good until it is revoked.', null=True, verbose_name='expires')),
                ('revoked_at', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='revoked')),
                ('last_used_at', models.DateTimeField(editable=False, help_text='To the minute.', null=True, verbose_name='last used')),
                ('created_by', models.ForeignKey(editable=False, help_text='Empty for a command run on the server.', null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL, verbose_name='by')),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='server_keys', to='ratings.game', verbose_name='game')),
            ],
            options={
                'verbose_name': 'server key',
                'verbose_name_plural': 'server keys',
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='server_key_has_a_name'), models.CheckConstraint(condition=models.Q(('digest__regex', '^[0-9a-f]{64}$'), ('prefix__regex', '^[a-z0-9]{8}$')), name='server_key_secret_is_a_digest'), models.CheckConstraint(condition=models.Q(('scopes__contained_by', ['read', 'players:write', 'tickets:write', 'matches:write', 'results:write']), ('scopes__len__gte', 1)), name='server_key_scopes'), models.CheckConstraint(condition=models.Q(('expires_at__isnull', True), ('expires_at__gt', models.F('created_at')), _connector='OR'), name='server_key_expires_after_it_is_made', violation_error_message='The expiry date must be in the future.'), models.CheckConstraint(condition=models.Q(('revoked_at__isnull', True), ('revoked_at__gte', models.F('created_at')), _connector='OR'), name='server_key_revoked_after_it_is_made')],
            },
        ),
        migrations.CreateModel(
            name='PlayerToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='To tell it from others later.', max_length=80, verbose_name='name')),
                ('prefix', models.CharField(editable=False, max_length=8, unique=True, verbose_name='begins with')),
                ('digest', models.CharField(editable=False, max_length=64, verbose_name='SHA-256')),
                ('scopes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('read', 'read what is not public'), ('play', 'search, accept, report'), ('players:write', 'add players, create tokens that act as any player'), ('tickets:write', 'search and accept for players'), ('matches:write', 'decide and abort matches'), ('results:write', 'report matches played elsewhere')], max_length=20), size=None, verbose_name='scopes')),
                ('created_at', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), editable=False, verbose_name='created')),
                ('expires_at', models.DateTimeField(blank=True, help_text='Empty: good until it is revoked.', null=True, verbose_name='expires')),
                ('revoked_at', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='revoked')),
                ('last_used_at', models.DateTimeField(editable=False, help_text='To the minute.', null=True, verbose_name='last used')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tokens', to='ratings.player', verbose_name='player')),
                ('issued_by', models.ForeignKey(editable=False, help_text='Empty: by the player.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='issued', to='api.serverkey', verbose_name='created by the server')),
            ],
            options={
                'verbose_name': 'player token',
                'verbose_name_plural': 'player tokens',
                'ordering': ['-id'],
                'indexes': [models.Index(condition=models.Q(('expires_at__isnull', False)), fields=['expires_at'], name='player_token_expiry')],
                'constraints': [models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='player_token_has_a_name'), models.CheckConstraint(condition=models.Q(('digest__regex', '^[0-9a-f]{64}$'), ('prefix__regex', '^[a-z0-9]{8}$')), name='player_token_secret_is_a_digest'), models.CheckConstraint(condition=models.Q(('scopes__contained_by', ['read', 'play']), ('scopes__len__gte', 1)), name='player_token_scopes'), models.CheckConstraint(condition=models.Q(('expires_at__isnull', True), ('expires_at__gt', models.F('created_at')), _connector='OR'), name='player_token_expires_after_it_is_made', violation_error_message='The expiry date must be in the future.'), models.CheckConstraint(condition=models.Q(('revoked_at__isnull', True), ('revoked_at__gte', models.F('created_at')), _connector='OR'), name='player_token_revoked_after_it_is_made'), models.CheckConstraint(condition=models.Q(('issued_by__isnull', True), ('expires_at__isnull', False), _connector='OR'), name='player_token_of_a_server_expires')],
            },
        ),
        migrations.CreateModel(
            name='StoredAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('principal', models.CharField(max_length=40, verbose_name='caller')),
                ('key', models.CharField(max_length=255, verbose_name='key')),
                ('request', models.CharField(help_text='SHA-256 of method, address and body.', max_length=64, verbose_name='request')),
                ('status', models.PositiveSmallIntegerField(null=True, verbose_name='status')),
                ('body', models.BinaryField(default=b'', verbose_name='body')),
                ('created_at', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), verbose_name='created')),
                ('location', models.TextField(blank=True, default='', help_text='The header “Location”; empty for none.', verbose_name='address')),
            ],
            options={
                'verbose_name': 'stored answer',
                'verbose_name_plural': 'stored answers',
                'ordering': ['-id'],
                'indexes': [models.Index(fields=['created_at'], name='answer_age')],
                'constraints': [models.UniqueConstraint(models.F('principal'), models.F('key'), name='answer_once_per_key'), models.CheckConstraint(condition=models.Q(('status__isnull', True), models.Q(('status__gte', 200), ('status__lt', 300)), _connector='OR'), name='answer_of_a_success'), models.CheckConstraint(condition=models.Q(models.Q(('principal', ''), _negated=True), models.Q(('key', ''), _negated=True)), name='answer_has_a_caller_and_a_key')],
            },
        ),
    ]
