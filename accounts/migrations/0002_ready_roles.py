"""Which groups came with the site, and what they were given."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0001_squashed_0006_notices'),
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='ReadyRole',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=50, unique=True, verbose_name='name')),
                ('given', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=120), db_default=[], default=list, size=None, verbose_name='rights given')),
                ('group', models.OneToOneField(help_text='Empty: deleted by an operator, or not ours.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='auth.group', verbose_name='group')),
            ],
            options={
                'verbose_name': 'ready role',
                'verbose_name_plural': 'ready roles',
                'ordering': ['name'],
            },
        ),
    ]
