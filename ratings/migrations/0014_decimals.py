from math import floor, log10
from typing import Any

from django.db import migrations, models

# By what the ratings of each system are spread, as it was when this was written.
SPREADS = ("deviation_start", "class_interval", "beta", "spread", "scale")


def follow_parameters(apps: Any, schema_editor: Any) -> None:
    """Let every track show two digits of its spread, by the newest version of its parameters."""
    versions = apps.get_model("ratings", "ParameterVersion").objects.order_by("track_id", "-number")
    for version in versions.distinct("track_id").select_related("track"):
        known = [version.parameters[name] for name in SPREADS if version.parameters.get(name)]
        if known:
            version.track.decimals = max(0, 1 - floor(log10(known[0])))
            version.track.save(update_fields=["decimals"])


class Migration(migrations.Migration):

    dependencies = [
        ("ratings", "0013_shown_next"),
    ]

    operations = [
        migrations.AddField(
            model_name="ratingtrack",
            name="decimals",
            field=models.PositiveSmallIntegerField(
                default=0,
                editable=False,
                help_text="In which people are shown its ratings; follows from the parameters.",
                verbose_name="decimals",
            ),
        ),
        migrations.RunPython(follow_parameters, migrations.RunPython.noop),
    ]
