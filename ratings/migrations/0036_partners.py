"""Matches with a partner of the game: the second team is nobody's account, and the match is not rated."""

from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    works_with_release_before = "the constraint is on columns that the release before leaves as the database fills them"

    dependencies = [("ratings", "0035_talk")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="partner",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="Whom the game supplied as the second team. Empty: all were players.",
                max_length=60,
                verbose_name="partner of the game",
            ),
        ),
        migrations.AddField(
            model_name="match",
            name="partner_rank",
            field=models.PositiveSmallIntegerField(
                blank=True, editable=False, null=True, verbose_name="rank of the partner"
            ),
        ),
        migrations.AddField(
            model_name="match",
            name="partner_score",
            field=models.FloatField(
                blank=True, editable=False, null=True, verbose_name="score of the partner"
            ),
        ),
        # Checked of all that is new; of what is there it holds, for nothing there has a partner.
        AddConstraintNotValid(
            "match",
            models.CheckConstraint(
                condition=Q(partner="", partner_rank__isnull=True, partner_score__isnull=True)
                | (~Q(partner="") & Q(rated=False)),
                name="match_with_a_partner_is_not_rated",
            ),
        ),
    ]
