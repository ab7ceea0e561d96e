import django.contrib.postgres.functions
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("matchmaking", "0025_offence_appeals"),
        ("ratings", "0036_partners"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="avoided",
            options={
                "ordering": ["id"],
                "verbose_name": "avoided player",
                "verbose_name_plural": "avoided players",
            },
        ),
        migrations.AlterField(
            model_name="avoided",
            name="avoided",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="ratings.player",
                verbose_name="avoided player",
            ),
        ),
        migrations.AlterField(
            model_name="conduct",
            name="as_of",
            field=models.DateTimeField(
                db_default=django.contrib.postgres.functions.TransactionNow(),
                help_text="The score fades from this moment on, by half in the half-life of the game's rules of conduct.",
                verbose_name="as of",
            ),
        ),
    ]
