"""An index by which searches that came to nothing are counted."""

from django.db import migrations, models


class Migration(migrations.Migration):
    works_with_release_before = "one partial index of tickets; searches wait for it, some seconds for a million"
    dependencies = [("matchmaking", "0012_archiving")]

    operations = [
        migrations.AddIndex(
            model_name='ticket',
            index=models.Index(
                condition=models.Q(('state__in', ['cancelled', 'expired'])),
                fields=['queue', '-ended_at'],
                name='ticket_in_vain',
            ),
        ),
    ]
