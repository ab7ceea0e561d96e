"""Matches of fewer teams, and of smaller ones, than a ladder has at most."""

import django.core.validators
from django.db import migrations, models
from django.db.models import F, Q


class Migration(migrations.Migration):
    works_with_release_before = "the constraints are on columns that the release before leaves empty"

    dependencies = [("ratings", "0036_partners")]

    operations = [
        migrations.AddField(
            model_name="ladder",
            name="fewest_teams",
            field=models.PositiveSmallIntegerField(
                blank=True,
                help_text="Results of matches may have fewer teams, down to so many. Empty: always as many as there are in a match.",
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(2),
                    django.core.validators.MaxValueValidator(100),
                ],
                verbose_name="fewest teams in a match",
            ),
        ),
        migrations.AddField(
            model_name="ladder",
            name="smallest_team",
            field=models.PositiveSmallIntegerField(
                blank=True,
                help_text="Results of matches may have smaller teams, down to so many, also unequal ones. Empty: all teams are full.",
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(100),
                ],
                verbose_name="fewest players in a team",
            ),
        ),
        migrations.AddConstraint(
            model_name="ladder",
            constraint=models.CheckConstraint(
                condition=Q(fewest_teams__isnull=True)
                | Q(fewest_teams__gte=2, fewest_teams__lte=F("team_count")),
                name="ladder_fewest_teams",
                violation_error_message="The fewest teams of a match are 2 at least, and no more than a match has.",
            ),
        ),
        migrations.AddConstraint(
            model_name="ladder",
            constraint=models.CheckConstraint(
                condition=Q(smallest_team__isnull=True)
                | Q(smallest_team__gte=1, smallest_team__lte=F("team_size")),
                name="ladder_smallest_team",
                violation_error_message="The fewest players of a team are 1 at least, and no more than a team has.",
            ),
        ),
    ]
