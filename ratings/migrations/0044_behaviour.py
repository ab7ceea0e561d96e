"""Behaviour in matches: features that games declare, what is told of them, and what is learned."""

import django.contrib.postgres.functions
import django.core.validators
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0043_drift_once'),
    ]

    operations = [
        migrations.CreateModel(
            name='Behaviour',
            fields=[
                ('participant', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='behaviour', serialize=False, to='ratings.participant', verbose_name='participant')),
                ('features', models.JSONField(verbose_name='features')),
                ('given_at', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), editable=False, verbose_name='given')),
            ],
            options={
                'verbose_name': 'behaviour in a match',
                'verbose_name_plural': 'behaviour in matches',
                'indexes': [models.Index(fields=['given_at'], name='behaviour_given')],
            },
        ),
        migrations.CreateModel(
            name='BehaviourModel',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('matches', models.PositiveSmallIntegerField(help_text='On the last how many matches of a player an estimate rests.', verbose_name='matches')),
                ('made_at', models.DateTimeField(verbose_name='learned')),
                ('features', models.JSONField(help_text="Their names, in the model's order.", verbose_name='features')),
                ('players', models.PositiveIntegerField(help_text='Established ones with so many matches, from whom it was learned.', verbose_name='players')),
                ('errors', models.JSONField(help_text='Of players that were held out, in rating points: of always the start value, of always the mean, and of each model. Empty: too few players to say.', verbose_name='errors')),
                ('folds', models.JSONField(verbose_name='errors by fold')),
                ('gain_at_least', models.FloatField(help_text='Lower end of the range that holds the difference in 95 of 100 cases.', null=True, verbose_name='better by at least')),
                ('chosen', models.CharField(blank=True, help_text='Empty: none is sure to beat a guess, and nothing is estimated.', max_length=10, verbose_name='model in use')),
                ('worth', models.JSONField(help_text='By how many rating points the error grows without each.', verbose_name='worth of the features')),
                ('learned', models.JSONField(editable=False, null=True)),
                ('track', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='behaviour_models', to='ratings.ratingtrack', verbose_name='rating track')),
            ],
            options={
                'verbose_name': 'model of behaviour',
                'verbose_name_plural': 'models of behaviour',
                'ordering': ['track', 'matches'],
                'constraints': [models.UniqueConstraint(models.F('track'), models.F('matches'), name='behaviour_model_once'), models.CheckConstraint(condition=models.Q(('matches__in', (1, 3, 10))), name='behaviour_model_of_known_matches'), models.CheckConstraint(condition=models.Q(models.Q(('chosen', ''), ('learned__isnull', True)), models.Q(('chosen__in', ['ridge', 'boosting']), ('gain_at_least__gt', 0), ('learned__isnull', False)), _connector='OR'), name='behaviour_model_used_where_better')],
            },
        ),
        migrations.CreateModel(
            name='Feature',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='How the game calls it in what it sends, such as damage_per_minute.', max_length=40, validators=[django.core.validators.RegexValidator('\\A[a-z][a-z0-9_]*\\Z', '“%(value)s” must begin with a small letter, and have only small letters, digits and underscores.')], verbose_name='name')),
                ('description', models.CharField(blank=True, help_text='What it is, for the public page; what is high, what is low.', max_length=200, verbose_name='description')),
                ('easy_to_fake', models.BooleanField(default=False, help_text='Whether a player can raise it without playing better, as with actions per minute.', verbose_name='easy to fake')),
                ('is_used', models.BooleanField(default=True, help_text='Whether estimates rest on it. If not, it is kept all the same.', verbose_name='in use')),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='features', to='ratings.game', verbose_name='game')),
            ],
            options={
                'verbose_name': 'feature of behaviour',
                'verbose_name_plural': 'features of behaviour',
                'ordering': ['game', 'name'],
                'constraints': [models.UniqueConstraint(models.F('game'), models.F('name'), name='feature_once_per_game', violation_error_message='This game has a feature of this name already.'), models.CheckConstraint(condition=models.Q(('name__regex', '\\A[a-z][a-z0-9_]*\\Z')), name='feature_has_a_plain_name')],
            },
        ),
    ]
