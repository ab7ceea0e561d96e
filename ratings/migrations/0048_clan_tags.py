"""The tag of a player's clan, beside the name. The app of clans writes it: nobody has one before."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0047_connectors'),
    ]

    operations = [
        migrations.AddField(
            model_name='player',
            name='clan_tag',
            field=models.CharField(blank=True, db_default='', default='', editable=False, help_text='Stands beside the name. The database keeps it as the clan has it.', max_length=6, verbose_name='tag of the clan'),
        ),
    ]
