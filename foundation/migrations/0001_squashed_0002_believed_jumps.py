"""Tables of foundation, as the first two migrations left them."""

from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [
        ('foundation', '0001_heartbeats'),
        ('foundation', '0002_believed_jumps'),
    ]

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Heartbeat',
            fields=[
                ('machine', models.CharField(help_text='Since it booted: its boot id.', max_length=80, primary_key=True, serialize=False, verbose_name='machine')),
                ('at', models.DateTimeField(verbose_name='time')),
                ('uptime', models.FloatField(verbose_name='seconds since it booted')),
                ('turned_at', models.DateTimeField(editable=False, null=True)),
                ('turned_by', models.FloatField(editable=False, null=True)),
            ],
            options={
                'verbose_name': 'heartbeat',
                'verbose_name_plural': 'heartbeats',
                'ordering': ['-at'],
            },
        ),
        migrations.CreateModel(
            name='ClockPause',
            fields=[
                ('singleton', models.BooleanField(default=True, editable=False, primary_key=True, serialize=False)),
                ('trusted_at', models.DateTimeField(help_text='What is over by then is closed; nothing after it.', verbose_name='last steady time')),
                ('off_by', models.FloatField(help_text='How far the clock was from what it should have said.', verbose_name='seconds off')),
                ('machine', models.CharField(max_length=80, verbose_name='machine')),
                ('at', models.DateTimeField(verbose_name='steady since')),
                ('uptime', models.FloatField(verbose_name='seconds since it booted')),
                ('seen_at', models.DateTimeField(verbose_name='last looked at')),
            ],
            options={
                'verbose_name': 'pause of the clock',
                'verbose_name_plural': 'pauses of the clock',
                'constraints': [models.CheckConstraint(condition=models.Q(('singleton', True)), name='clock_pause_at_most_one')],
            },
        ),
    ]
