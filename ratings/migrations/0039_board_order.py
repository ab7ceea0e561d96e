"""What boards are ordered by. Tracks that are there keep the order by rating: only an operator changes it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    works_with_release_before = (
        "the constraint holds of the column's default, and the release before writes nothing else"
    )

    dependencies = [
        ("ratings", "0038_logs_of_servers"),
    ]

    operations = [
        migrations.AddField(
            model_name="ratingtrack",
            name="board_by",
            field=models.CharField(
                choices=[("rating", "rating"), ("conservative", "conservative rating")],
                db_default="rating",
                default="rating",
                editable=False,
                help_text="The conservative rating is the rating less some deviations.",
                max_length=12,
                verbose_name="leaderboard ordered by",
            ),
        ),
        migrations.AddConstraint(
            model_name="ratingtrack",
            constraint=models.CheckConstraint(
                condition=models.Q(("board_by__in", ["rating", "conservative"])),
                name="track_board_by",
            ),
        ),
    ]
