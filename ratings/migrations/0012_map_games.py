"""How often players have played maps. The next rating run counts the history."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0011_facets'),
    ]

    operations = [
        migrations.CreateModel(
            name='MapGames',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('map', models.CharField(max_length=100, verbose_name='map')),
                ('games', models.PositiveIntegerField(verbose_name='matches')),
            ],
            options={
                'verbose_name': 'matches on a map',
                'verbose_name_plural': 'matches on maps',
                'ordering': ['player_id', 'map', 'id'],
            },
        ),
        migrations.AddField(
            model_name='ladder',
            name='maps_counted_seq',
            field=models.BigIntegerField(db_default=0, default=0, editable=False, help_text='Up to here the matches of each player on each map are counted.', verbose_name='maps counted up to sequence number'),
        ),
        migrations.AddConstraint(
            model_name='ladder',
            constraint=models.CheckConstraint(condition=models.Q(('maps_counted_seq__gte', 0), ('maps_counted_seq__lte', models.F('last_seq'))), name='ladder_maps_counted_within_sequence'),
        ),
        migrations.AddField(
            model_name='mapgames',
            name='ladder',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ratings.ladder', verbose_name='ladder'),
        ),
        migrations.AddField(
            model_name='mapgames',
            name='player',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ratings.player', verbose_name='player'),
        ),
        migrations.AddConstraint(
            model_name='mapgames',
            constraint=models.UniqueConstraint(models.F('player'), models.F('ladder'), models.F('map'), name='map_games_once_per_map'),
        ),
        migrations.AddConstraint(
            model_name='mapgames',
            constraint=models.CheckConstraint(condition=models.Q(('map', ''), _negated=True), name='map_games_has_a_map'),
        ),
    ]
