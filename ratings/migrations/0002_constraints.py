"""Invariants that Django's own constraints cannot express."""

from django.db import migrations

MATCH_AND_LADDER_AGREE_ON_THE_GAME = """
ALTER TABLE ratings_match ADD CONSTRAINT match_game_of_ladder
    FOREIGN KEY (ladder_id, game_id) REFERENCES ratings_ladder (id, game_id) DEFERRABLE INITIALLY DEFERRED;
"""

CHANGE_BELONGS_TO_A_RATING = """
ALTER TABLE ratings_ratingchange ADD CONSTRAINT change_of_rating
    FOREIGN KEY (track_id, player_id) REFERENCES ratings_rating (track_id, player_id)
    DEFERRABLE INITIALLY DEFERRED;
"""

# Whoever drops a whole generation says so first, for one transaction: SET LOCAL evenmatch.drop_ledger = 'on'.
LEDGER_ONLY_GROWS = """
CREATE FUNCTION ratings_ledger_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND coalesce(current_setting('evenmatch.drop_ledger', true), '') = 'on' THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the ledger only grows: % of row % refused', lower(TG_OP), OLD.id
        USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER ledger_only_grows BEFORE UPDATE OR DELETE ON ratings_ratingchange
    FOR EACH ROW EXECUTE FUNCTION ratings_ledger_only_grows();
"""


class Migration(migrations.Migration):
    dependencies = [("ratings", "0001_initial")]

    operations = [
        migrations.RunSQL(
            MATCH_AND_LADDER_AGREE_ON_THE_GAME,
            "ALTER TABLE ratings_match DROP CONSTRAINT match_game_of_ladder",
        ),
        migrations.RunSQL(
            CHANGE_BELONGS_TO_A_RATING,
            "ALTER TABLE ratings_ratingchange DROP CONSTRAINT change_of_rating",
        ),
        migrations.RunSQL(
            LEDGER_ONLY_GROWS,
            "DROP TRIGGER ledger_only_grows ON ratings_ratingchange; DROP FUNCTION ratings_ledger_only_grows()",
        ),
    ]
