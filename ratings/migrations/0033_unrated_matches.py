"""Matches that are not rated: played, reported and confirmed as any other, without a place in the ladder's sequence."""

from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    works_with_release_before = "every match that the release before begins is rated; the constraint asks others alone"

    dependencies = [("ratings", "0032_index_of_annulled_matches")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="rated",
            field=models.BooleanField(
                db_default=True,
                default=True,
                help_text="Counts for ratings. Otherwise it has no place in the sequence, and changes none.",
                verbose_name="rated",
            ),
        ),
        # Checked of all that is new; of what is there it holds, for all of that is rated.
        AddConstraintNotValid(
            "match",
            models.CheckConstraint(
                condition=Q(rated=True) | Q(ladder_seq__isnull=True),
                name="match_only_rated_is_in_sequence",
            ),
        ),
    ]
