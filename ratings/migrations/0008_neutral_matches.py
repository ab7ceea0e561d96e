"""Matches in which nobody plays the better side."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0007_disputed_matches'),
    ]

    operations = [
        migrations.AddField(
            model_name='match',
            name='is_neutral',
            field=models.BooleanField(db_default=False, default=False, help_text='Nobody plays the better side. Else the first team does: white, at home.', verbose_name='neutral'),
        ),
    ]
