"""Tables of events, as the first five migrations left them."""

import django.contrib.postgres.fields
import django.contrib.postgres.functions
import django.db.models.expressions
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [
        ('events', '0001_initial'),
        ('events', '0002_cluster_and_failures'),
        ('events', '0003_words'),
        ('events', '0004_notices'),
        ('events', '0005_notice_age'),
    ]

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('transaction', models.BigIntegerField(db_default=django.db.models.expressions.RawSQL('(pg_current_xact_id()::text::bigint)', ()), editable=False, verbose_name='transaction')),
                ('at', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), verbose_name='at')),
                ('kind', models.CharField(max_length=60, verbose_name='kind')),
                ('payload', models.JSONField(default=dict, verbose_name='payload')),
                ('cluster', models.BigIntegerField(db_default=django.db.models.expressions.RawSQL('((pg_control_system()).system_identifier)', ()), editable=False, verbose_name='cluster')),
            ],
            options={
                'verbose_name': 'event',
                'verbose_name_plural': 'events',
                'ordering': ['transaction', 'id'],
                'indexes': [models.Index(fields=['transaction', 'id'], name='event_order')],
            },
        ),
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('transaction', models.BigIntegerField(db_default=django.db.models.expressions.RawSQL('(pg_current_xact_id()::text::bigint)', ()), editable=False, verbose_name='transaction')),
                ('cluster', models.BigIntegerField(db_default=django.db.models.expressions.RawSQL('((pg_control_system()).system_identifier)', ()), editable=False, verbose_name='cluster')),
                ('at', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), verbose_name='at')),
                ('kind', models.CharField(max_length=60, verbose_name='kind')),
                ('topics', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=60), size=None, verbose_name='topics')),
                ('ids', models.JSONField(default=dict, verbose_name='ids')),
                ('players', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), default=list, size=None, verbose_name='players')),
            ],
            options={
                'verbose_name': 'live message',
                'verbose_name_plural': 'live messages',
                'ordering': ['transaction', 'id'],
                'indexes': [models.Index(fields=['transaction', 'id'], name='notice_order'), models.Index(condition=models.Q(('topics', [])), fields=['transaction', 'id'], name='notice_beginnings'), models.Index(fields=['at'], name='notice_age')],
            },
        ),
        migrations.CreateModel(
            name='Subscription',
            fields=[
                ('name', models.CharField(max_length=60, primary_key=True, serialize=False, verbose_name='subscriber')),
                ('transaction', models.BigIntegerField(default=-4611686018427387904, verbose_name='read up to transaction')),
                ('event_id', models.BigIntegerField(default=0, verbose_name='and event')),
                ('cluster', models.BigIntegerField(db_default=django.db.models.expressions.RawSQL('((pg_control_system()).system_identifier)', ()), editable=False, verbose_name='cluster')),
                ('error', models.TextField(blank=True, db_default='', default='', editable=False, verbose_name='last error')),
                ('failed_event_id', models.BigIntegerField(editable=False, null=True, verbose_name='failed at event')),
                ('failures', models.PositiveIntegerField(db_default=0, default=0, editable=False, verbose_name='failures in a row')),
                ('parked_at', models.DateTimeField(editable=False, help_text='It is no longer tried automatically.', null=True, verbose_name='parked')),
                ('retry_at', models.DateTimeField(editable=False, null=True, verbose_name='next try')),
            ],
            options={
                'verbose_name': 'subscription',
                'verbose_name_plural': 'subscriptions',
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('failures', 0), ('parked_at__isnull', True), ('retry_at__isnull', True)), models.Q(('failures__gt', 0), models.Q(('retry_at__isnull', True), ('parked_at__isnull', True), _connector='XOR')), _connector='OR'), name='subscription_failing_is_tried_again_or_parked')],
            },
        ),
    ]
