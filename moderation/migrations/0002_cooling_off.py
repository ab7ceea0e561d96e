from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    works_with_release_before = "The constraint takes all that it took, and one act more."

    dependencies = [
        ('matchmaking', '0023_missed_appointments'),
        ('moderation', '0001_desk'),
        ('ratings', '0035_talk'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='decision',
            name='decision_is_an_act',
        ),
        migrations.AlterField(
            model_name='decision',
            name='act',
            field=models.CharField(choices=[('nothing', 'Nothing to be done'), ('warn', 'Warn the player'), ('manners', 'Bad manners: give points'), ('cool_off', 'Bad manners: give points, and let the player cool off'), ('suspend', 'Suspend the player'), ('hide', 'Hide the player from leaderboards'), ('annul', 'Annul the match'), ('annul_many', 'Annul several matches of the player'), ('correct', 'Correct the result'), ('resolve', 'Decide the result'), ('abort', 'The match was not played'), ('reset_name', 'Reset the name'), ('grant', 'Grant the appeal'), ('refuse', 'Refuse the appeal')], editable=False, max_length=12, verbose_name='decision'),
        ),
        migrations.AddConstraint(
            model_name='decision',
            constraint=models.CheckConstraint(condition=models.Q(('act__in', ['nothing', 'warn', 'manners', 'cool_off', 'suspend', 'hide', 'annul', 'annul_many', 'correct', 'resolve', 'abort', 'reset_name', 'grant', 'refuse'])), name='decision_is_an_act'),
        ),
    ]
