"""The last time in which nothing was written on any machine."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('foundation', '0001_squashed_0002_believed_jumps'),
    ]

    operations = [
        migrations.AddField(
            model_name='heartbeat',
            name='outage_since',
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='heartbeat',
            name='outage_until',
            field=models.DateTimeField(editable=False, null=True),
        ),
    ]
