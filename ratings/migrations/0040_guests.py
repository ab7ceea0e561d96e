"""Guests of matches: who took part without being a player."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0039_board_order'),
    ]

    operations = [
        migrations.AddField(
            model_name='match',
            name='guests',
            field=models.JSONField(blank=True, db_default=models.Value([], models.JSONField()), default=list, editable=False, help_text='Who took part without being a player, as the game tells it. Never rated.', verbose_name='guests'),
        ),
    ]
