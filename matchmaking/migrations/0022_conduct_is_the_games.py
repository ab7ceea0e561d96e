from django.db import migrations

# Since 0018 the game's rules of conduct say both, and queues' values count for nothing.
TAKE_AWAY = """
UPDATE matchmaking_queue SET settings = CASE
    WHEN settings -> 'conduct' <@ '{"high": 0, "half_life_days": 0}' THEN settings - 'conduct'
    ELSE settings #- '{conduct,high}' #- '{conduct,half_life_days}' END
WHERE settings -> 'conduct' ?| ARRAY['high', 'half_life_days']
"""


class Migration(migrations.Migration):
    works_with_release_before = (
        "it puts the game's rules of conduct in place of these two values of a queue, and reads what is missing as by default"
    )

    dependencies = [("matchmaking", "0021_still_there")]

    operations = [migrations.RunSQL(TAKE_AWAY, migrations.RunSQL.noop)]
