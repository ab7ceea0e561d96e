"""Names that are locked, former names, and words that names may not hold."""

import django.contrib.postgres.functions
import django.db.models.deletion
from django.db import migrations, models

FOLLOW = """
CREATE FUNCTION ratings_keep_former_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO ratings_formername (player_id, name) VALUES (NEW.id, OLD.name);
    RETURN NULL;
END
$$;
CREATE TRIGGER keep_former_name AFTER UPDATE OF name ON ratings_player FOR EACH ROW
    WHEN (OLD.name <> NEW.name) EXECUTE FUNCTION ratings_keep_former_name();
"""
FOLLOW_NO_MORE = """
DROP TRIGGER keep_former_name ON ratings_player; DROP FUNCTION ratings_keep_former_name()
"""


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0023_sanctions'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='refused_words',
            field=models.TextField(blank=True, db_default='', help_text='One a line. No name chosen on this site holds one of them, whatever the case and signs that look alike; names that the game brings are listed under “Players: names with refused words”.', max_length=10000, verbose_name='refused words'),
        ),
        migrations.AddField(
            model_name='player',
            name='name_locked',
            field=models.BooleanField(db_default=False, default=False, help_text='The name stays as it is, whatever the game calls the player; operators alone change it.', verbose_name='name locked'),
        ),
        migrations.CreateModel(
            name='FormerName',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(editable=False, max_length=100, verbose_name='name')),
                ('until', models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), editable=False, verbose_name='until')),
                ('player', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='former_names', to='ratings.player', verbose_name='player')),
            ],
            options={
                'verbose_name': 'former name',
                'verbose_name_plural': 'former names',
                'ordering': ['-id'],
            },
        ),
        migrations.RunSQL(FOLLOW, FOLLOW_NO_MORE),
    ]
