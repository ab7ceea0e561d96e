"""What the side of the first team is worth, by track and map."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0009_neutral_from_columns'),
    ]

    operations = [
        migrations.CreateModel(
            name='SideEstimate',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('map', models.CharField(blank=True, help_text='Empty: over all.', max_length=100, verbose_name='map')),
                ('points', models.FloatField(help_text='Of each player of the first team; below 0 where its side is the worse one.', verbose_name='rating points')),
                ('games', models.PositiveBigIntegerField(verbose_name='matches')),
                ('rated_seq', models.BigIntegerField(verbose_name='from matches up to sequence number')),
                ('as_of', models.DateTimeField(verbose_name='as of')),
                ('track', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='sides', to='ratings.ratingtrack', verbose_name='rating track')),
            ],
            options={
                'verbose_name': 'estimate of a side',
                'verbose_name_plural': 'estimates of sides',
                'ordering': ['track_id', 'map'],
                'constraints': [models.UniqueConstraint(models.F('track'), models.F('map'), name='side_once_per_map')],
            },
        ),
    ]
