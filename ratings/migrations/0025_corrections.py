"""Corrections of results, and which server key gave one."""

import django.contrib.postgres.functions
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.db.models.lookups
from django.conf import settings
from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models


class Migration(migrations.Migration):
    works_with_release_before = "the constraint is on a column that the release before leaves empty"

    dependencies = [
        ('ratings', '0024_names'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Correction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(help_text='Of this match, from 1.', verbose_name='number')),
                ('reason', models.TextField(help_text="Shown on the match's page.", validators=[django.core.validators.MaxLengthValidator(1000)], verbose_name='reason')),
                ('at', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), editable=False, verbose_name='at')),
                ('server_key', models.BigIntegerField(editable=False, help_text='Number of the key whose server corrected it. Empty: an operator did.', null=True, verbose_name='server key')),
            ],
            options={
                'verbose_name': 'correction',
                'verbose_name_plural': 'corrections',
                'ordering': ['match_id', 'number'],
            },
        ),
        migrations.CreateModel(
            name='EarlierResult',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rank', models.PositiveSmallIntegerField(help_text='0 is best; equal ranks are a draw.', verbose_name='rank of the team')),
                ('score', models.FloatField(null=True, verbose_name='score in the game')),
                ('minutes', models.FloatField(null=True, verbose_name='minutes played')),
            ],
            options={
                'verbose_name': 'earlier result',
                'verbose_name_plural': 'earlier results',
                'ordering': ['correction_id', 'participant_id'],
            },
        ),
        migrations.AddField(
            model_name='match',
            name='corrected_at',
            field=models.DateTimeField(blank=True, editable=False, help_text='When its result was corrected last.', null=True, verbose_name='corrected'),
        ),
        migrations.AddField(
            model_name='match',
            name='server_key',
            field=models.BigIntegerField(blank=True, editable=False, help_text="Number of the key whose server gave the result. Empty: nobody's.", null=True, verbose_name='server key'),
        ),
        AddConstraintNotValid(
            model_name='match',
            constraint=models.CheckConstraint(condition=models.Q(('corrected_at__isnull', True), ('state__in', ['confirmed', 'annulled']), _connector='OR'), name='match_only_a_result_is_corrected'),
        ),
        migrations.AddField(
            model_name='correction',
            name='by',
            field=models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='by'),
        ),
        migrations.AddField(
            model_name='correction',
            name='match',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='corrections', to='ratings.match', verbose_name='match'),
        ),
        migrations.AddField(
            model_name='earlierresult',
            name='correction',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='earlier', to='ratings.correction', verbose_name='correction'),
        ),
        migrations.AddField(
            model_name='earlierresult',
            name='participant',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='earlier', to='ratings.participant', verbose_name='participant'),
        ),
        migrations.AddConstraint(
            model_name='correction',
            constraint=models.UniqueConstraint(models.F('match'), models.F('number'), name='correction_number_unique'),
        ),
        migrations.AddConstraint(
            model_name='correction',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='correction_number_from_one'),
        ),
        migrations.AddConstraint(
            model_name='correction',
            constraint=models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='correction_has_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='correction',
            constraint=models.CheckConstraint(condition=django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('reason'), models.Value(1000)), name='correction_reason_is_short'),
        ),
        migrations.AddConstraint(
            model_name='earlierresult',
            constraint=models.UniqueConstraint(models.F('correction'), models.F('participant'), name='earlier_result_once_per_participant'),
        ),
    ]
