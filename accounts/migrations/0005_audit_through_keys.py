"""The audit log says by which key a program acted."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("accounts", "0004_second_factors"),
    ]

    operations = [
        migrations.AddField(
            model_name='auditentry',
            name='through',
            field=models.CharField(blank=True, db_default='', help_text='By which a program acted over the API. Empty: a person, or a command.', max_length=120, verbose_name='through the key'),
        ),
    ]
