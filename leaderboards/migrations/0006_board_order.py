"""In which order each board is written: those that are there by rating."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("leaderboards", "0001_squashed_0005_judged_to"),
    ]

    operations = [
        migrations.AddField(
            model_name="board",
            name="rule_board_by",
            field=models.CharField(
                choices=[("rating", "rating"), ("conservative", "conservative rating")],
                db_default="rating",
                default="rating",
                max_length=12,
                verbose_name="ordered by",
            ),
        ),
    ]
