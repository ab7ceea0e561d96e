"""By what clans are ordered on ladders. Rules that are there keep the usual."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    works_with_release_before = "both hold of the columns' defaults, and whoever knows no such column writes these"

    dependencies = [
        ('clans', '0001_clans'),
    ]

    operations = [
        migrations.AddField(
            model_name='clanrules',
            name='board_by',
            field=models.CharField(choices=[('mean', 'the mean'), ('sum', 'the sum')], db_default='mean', default='mean', help_text='By the mean of those members a clan must have as many; by the sum whoever is missing counts nothing.', max_length=4, verbose_name='clans ordered by'),
        ),
        migrations.AddField(
            model_name='clanrules',
            name='counted',
            field=models.PositiveSmallIntegerField(db_default=3, default=3, help_text='The best of each clan on a leaderboard, by whom clans are ordered. 1 to 20.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(20)], verbose_name='members that count'),
        ),
        migrations.AddConstraint(
            model_name='clanrules',
            constraint=models.CheckConstraint(condition=models.Q(('counted__gte', 1), ('counted__lte', 20)), name='clan_rules_counted'),
        ),
        migrations.AddConstraint(
            model_name='clanrules',
            constraint=models.CheckConstraint(condition=models.Q(('board_by__in', ['mean', 'sum'])), name='clan_rules_board_by'),
        ),
    ]
