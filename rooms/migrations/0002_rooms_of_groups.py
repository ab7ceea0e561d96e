"""Rooms that are open to the members of a group."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('groups', '0001_groups'),
        ('rooms', '0001_rooms'),
    ]

    operations = [
        migrations.AddField(
            model_name='room',
            name='group',
            field=models.ForeignKey(blank=True, help_text='Whose members may come, where only they may.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='groups.group', verbose_name='group of players'),
        ),
        migrations.AlterField(
            model_name='room',
            name='access',
            field=models.CharField(choices=[('open', 'everyone'), ('friends', 'friends of the host'), ('group', 'members of a group'), ('code', 'those with the code')], default='open', max_length=10, verbose_name='who may come'),
        ),
    ]
