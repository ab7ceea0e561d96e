"""The leader of a live party is a live member of it, and live members are in live parties: held by foreign keys."""

from django.db import migrations, models

# Checked when a transaction commits: a party is written before its first member, and members change one by one.
LEADER_IS_A_MEMBER = """
ALTER TABLE matchmaking_party ADD CONSTRAINT party_leader_is_a_member FOREIGN KEY (id, leader_id, live)
    REFERENCES matchmaking_partymember (party_id, player_id, here) DEFERRABLE INITIALLY DEFERRED
"""
MEMBERS_OF_LIVE_PARTIES = """
ALTER TABLE matchmaking_partymember ADD CONSTRAINT party_member_of_a_live_party FOREIGN KEY (party_id, here)
    REFERENCES matchmaking_party (id, live) DEFERRABLE INITIALLY DEFERRED
"""


class Migration(migrations.Migration):

    dependencies = [
        ('matchmaking', '0006_teams_and_strategies'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='partymember',
            name='party_member_once',
        ),
        migrations.AddField(
            model_name='party',
            name='live',
            field=models.GeneratedField(db_persist=True, expression=models.Case(models.When(ended_at__isnull=True, then=models.Value(True))), output_field=models.BooleanField(null=True), verbose_name='live'),
        ),
        migrations.AddField(
            model_name='partymember',
            name='here',
            field=models.GeneratedField(db_persist=True, expression=models.Case(models.When(live=True, then=models.Value(True))), output_field=models.BooleanField(null=True), verbose_name='in the party'),
        ),
        migrations.AddConstraint(
            model_name='party',
            constraint=models.UniqueConstraint(fields=('id', 'live'), name='party_live'),
        ),
        migrations.AddConstraint(
            model_name='partymember',
            constraint=models.UniqueConstraint(fields=('party', 'player', 'here'), name='party_member_once'),
        ),
        migrations.RunSQL(
            LEADER_IS_A_MEMBER, 'ALTER TABLE matchmaking_party DROP CONSTRAINT party_leader_is_a_member'
        ),
        migrations.RunSQL(
            MEMBERS_OF_LIVE_PARTIES,
            'ALTER TABLE matchmaking_partymember DROP CONSTRAINT party_member_of_a_live_party',
        ),
    ]
