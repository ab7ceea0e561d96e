"""Games send appeals to a page or to mail, and to nothing else.

What no player could follow, or should not, is taken out of the games; the audit log keeps what stood there.
"""

import django.core.validators
from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models

import ratings.models.games

ADDRESS = r'\A([Hh][Tt][Tt][Pp][Ss]?://[^\s<>"/]+(/[^\s<>"]*)?|([Mm]ailto:)?[^\s<>"@:/?]+@[^\s<>"@:/?]+\.[^\s<>"@:/?]+)\Z'
TAKE_OUT = rf"""
WITH wrong AS (
    SELECT id, appeals_to FROM ratings_game WHERE appeals_to <> '' AND appeals_to !~ '{ADDRESS}' FOR NO KEY UPDATE
), taken_out AS (
    UPDATE ratings_game AS game SET appeals_to = '' FROM wrong WHERE game.id = wrong.id
    RETURNING game.id, wrong.appeals_to
)
INSERT INTO accounts_auditentry (action, target_type, target_id, before, after, note)
SELECT 'game.changed', 'ratings.game', id, jsonb_build_object('appeals_to', appeals_to),
    '{{"appeals_to": ""}}', 'neither a page nor a mail address'
FROM taken_out
"""


class Migration(migrations.Migration):
    works_with_release_before = "it is refused what nobody may do: to send appeals to what is no address"

    dependencies = [
        ("accounts", "0005_audit_through_keys"),
        ("ratings", "0029_indexes_beside_the_work"),
    ]

    operations = [
        migrations.AlterField(
            model_name='game',
            name='appeals_to',
            field=models.CharField(blank=True, db_default='', help_text='Where players can ask for a sanction to be lifted: an address of a page, or of mail.', max_length=200, validators=[django.core.validators.RegexValidator(ADDRESS, '“%(value)s” is neither the address of a page nor of mail. Write one such as https://example.org/appeals or mail@example.org.')], verbose_name='appeals to'),
        ),
        migrations.AlterField(
            model_name='game',
            name='refused_words',
            field=models.TextField(blank=True, db_default='', help_text='One a line. No name chosen on this site holds one of them, whatever the case and signs that look alike; names that the game brings are listed under “Players: names with refused words”.', max_length=10000, validators=[ratings.models.games.check_refused_words], verbose_name='refused words'),
        ),
        AddConstraintNotValid(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('appeals_to', ''), ('appeals_to__regex', ADDRESS), _connector='OR'), name='game_appeals_to_an_address'),
        ),
        migrations.RunSQL(TAKE_OUT, migrations.RunSQL.noop),
    ]
