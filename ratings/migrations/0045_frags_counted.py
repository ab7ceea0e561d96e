"""Who fragged whom, and with what, counted of matches that are over, so that statistics need not read events."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ratings", "0044_behaviour"),
    ]

    operations = [
        migrations.AddField(
            model_name="matchlog",
            name="counted_at",
            field=models.DateTimeField(
                editable=False,
                help_text="When its frags were counted for statistics, after its end.",
                null=True,
                verbose_name="counted",
            ),
        ),
        migrations.CreateModel(
            name="LogDuel",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "log_id",
                        "player_id",
                        "victim_id",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("frags", models.IntegerField(verbose_name="frags")),
                (
                    "log",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="duels",
                        to="ratings.matchlog",
                        verbose_name="log of a match",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="ratings.player",
                        verbose_name="player",
                    ),
                ),
                (
                    "victim",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="ratings.player",
                        verbose_name="victim",
                    ),
                ),
            ],
            options={
                "verbose_name": "frags of a pair",
                "verbose_name_plural": "frags of pairs",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("frags__gte", 1)), name="log_duel_frags"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="LogWeapon",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "log_id",
                        "player_id",
                        "weapon",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("weapon", models.CharField(blank=True, max_length=60, verbose_name="weapon")),
                ("frags", models.IntegerField(verbose_name="frags")),
                (
                    "log",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="weapons",
                        to="ratings.matchlog",
                        verbose_name="log of a match",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="ratings.player",
                        verbose_name="player",
                    ),
                ),
            ],
            options={
                "verbose_name": "frags with a weapon",
                "verbose_name_plural": "frags with weapons",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("frags__gte", 1)), name="log_weapon_frags"
                    )
                ],
            },
        ),
    ]
