"""Points that time takes from everybody, or gives: the dates in a ladder's sequence, and how far tracks are with them."""

import django.core.validators
import django.db.models.deletion
from django.db import migrations, models

# What is over has no date any more: until now whoever played again had what had come together.
NOTHING_IS_OWED = "UPDATE ratings_ratingtrack SET drifted_periods = closed_periods"


class Migration(migrations.Migration):
    works_with_release_before = "the constraints hold of the columns' defaults, and the release before writes nothing else"

    dependencies = [
        ("ratings", "0041_events_forget_names"),
    ]

    operations = [
        migrations.CreateModel(
            name="DriftDate",
            fields=[
                ("pk", models.CompositePrimaryKey("ladder_id", "seq", blank=True, editable=False, primary_key=True, serialize=False)),
                ("ladder", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="drift_dates", to="ratings.ladder", verbose_name="ladder")),
                ("seq", models.BigIntegerField(verbose_name="place in the sequence")),
                ("at", models.DateTimeField(verbose_name="date")),
            ],
            options={
                "verbose_name": "date of decay or inflation",
                "verbose_name_plural": "dates of decay or inflation",
                "ordering": ["ladder_id", "seq"],
            },
        ),
        migrations.AddConstraint(
            model_name="driftdate",
            constraint=models.UniqueConstraint(models.F("ladder"), models.F("at"), name="drift_date_once"),
        ),
        migrations.AddConstraint(
            model_name="driftdate",
            constraint=models.CheckConstraint(condition=models.Q(("seq__gte", 1)), name="drift_date_has_its_place"),
        ),
        migrations.AddField(
            model_name="ladder",
            name="drift_days",
            field=models.FloatField(db_default=7.0, default=7.0, help_text="Where a track without rating periods takes points from everybody by time, or gives them, it does so on these dates, at midnight UTC. 0.05 to 3,650.", validators=[django.core.validators.MinValueValidator(0.05), django.core.validators.MaxValueValidator(3650.0)], verbose_name="days between two dates of decay or inflation"),
        ),
        migrations.AddField(
            model_name="ladder",
            name="drift_next_at",
            field=models.DateTimeField(editable=False, help_text="Empty while no track without rating periods has either.", null=True, verbose_name="next date of decay or inflation"),
        ),
        migrations.AddConstraint(
            model_name="ladder",
            constraint=models.CheckConstraint(condition=models.Q(("drift_days__gt", 0)), name="ladder_drift_days"),
        ),
        migrations.AddField(
            model_name="ratingtrack",
            name="drifted_periods",
            field=models.BigIntegerField(db_default=0, default=0, editable=False, help_text="Fewer than are closed while that of one is due, or under way.", verbose_name="periods behind which time has taken or given points"),
        ),
        migrations.AddField(
            model_name="ratingtrack",
            name="drifted_player",
            field=models.BigIntegerField(db_default=0, default=0, editable=False, help_text="Of the date that is under way: players up to this one have had theirs.", verbose_name="drifted up to player"),
        ),
        migrations.AddConstraint(
            model_name="ratingtrack",
            constraint=models.CheckConstraint(condition=models.Q(("drifted_periods__gte", 0), ("drifted_player__gte", 0)), name="track_drift"),
        ),
        migrations.RunSQL(NOTHING_IS_OWED, migrations.RunSQL.noop),
        migrations.AlterField(
            model_name="ratingchange",
            name="at",
            field=models.DateTimeField(help_text="When the match counted, the end of the period, or the date.", verbose_name="at"),
        ),
        migrations.AlterField(
            model_name="ratingchange",
            name="kind",
            field=models.CharField(choices=[("match", "match"), ("period", "rating period"), ("idle", "time without play"), ("decay", "decay"), ("inflation", "inflation"), ("season", "season"), ("manual", "by hand")], max_length=10, verbose_name="kind"),
        ),
    ]
