"""What the tables of ratings check and follow by themselves, where Django's own constraints cannot express it.

Ratings and the ledger are checked a statement at a time: row by row took half of closing a large period. Migrations
have been run with this text: what is to change is changed by a new migration.
"""

MATCH_AND_LADDER_AGREE_ON_THE_GAME = """
ALTER TABLE ratings_match ADD CONSTRAINT match_game_of_ladder
    FOREIGN KEY (ladder_id, game_id) REFERENCES ratings_ladder (id, game_id) DEFERRABLE INITIALLY DEFERRED;
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

# One look for all rows of a statement instead of a query a row. Nested loops: always by index, whatever the size that
# the plan was made for.
RATINGS_REFER = """
CREATE FUNCTION ratings_rating_refers() RETURNS trigger LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    IF EXISTS (
        SELECT FROM (SELECT DISTINCT track_id FROM added) AS tracks
        LEFT JOIN ratings_ratingtrack AS track ON track.id = tracks.track_id
        WHERE track.id IS NULL
    ) OR EXISTS (
        SELECT FROM added LEFT JOIN ratings_player AS player ON player.id = added.player_id
        WHERE player.id IS NULL
    ) THEN
        RAISE EXCEPTION 'a rating belongs to a track and a player that exist' USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER rating_refers AFTER INSERT ON ratings_rating
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ratings_rating_refers();
"""

CHANGES_REFER = """
CREATE FUNCTION ratings_change_refers() RETURNS trigger LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    IF EXISTS (
        SELECT FROM added
        LEFT JOIN ratings_rating AS rating
            ON rating.track_id = added.track_id AND rating.player_id = added.player_id AND rating.facet = added.facet
        WHERE rating.id IS NULL
    ) OR EXISTS (
        SELECT FROM (SELECT DISTINCT track_id, period_id FROM added WHERE period_id IS NOT NULL) AS periods
        LEFT JOIN ratings_ratingperiod AS period
            ON period.id = periods.period_id AND period.track_id = periods.track_id
        WHERE period.id IS NULL
    ) THEN
        RAISE EXCEPTION 'a change belongs to a rating and a period of its track that exist'
            USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER change_refers AFTER INSERT ON ratings_ratingchange
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ratings_change_refers();
"""

# The other end: what is referred to stays. Its keys never change, so deleting is all there is to refuse.
REFERRED_TO_STAYS = """
CREATE FUNCTION ratings_referred_to_stays() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    is_referred_to boolean;
BEGIN
    CASE TG_TABLE_NAME
        WHEN 'ratings_rating' THEN
            is_referred_to := EXISTS (SELECT FROM ratings_ratingchange
                                      WHERE track_id = OLD.track_id AND player_id = OLD.player_id AND facet = OLD.facet);
        WHEN 'ratings_ratingperiod' THEN
            is_referred_to := EXISTS (SELECT FROM ratings_ratingchange
                                      WHERE track_id = OLD.track_id AND period_id = OLD.id);
        WHEN 'ratings_ratingtrack' THEN
            is_referred_to := EXISTS (SELECT FROM ratings_rating WHERE track_id = OLD.id);
        WHEN 'ratings_player' THEN
            is_referred_to := EXISTS (SELECT FROM ratings_rating WHERE player_id = OLD.id);
    END CASE;
    IF is_referred_to THEN
        RAISE EXCEPTION '% % is still referred to by ratings or their ledger', TG_TABLE_NAME, OLD.id
            USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NULL;
END
$$;
"""
for table in ("rating", "ratingperiod", "ratingtrack", "player"):
    REFERRED_TO_STAYS += f"""
CREATE CONSTRAINT TRIGGER {table}_stays AFTER DELETE ON ratings_{table} DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION ratings_referred_to_stays();
"""
UNDO = """
DROP FUNCTION ratings_rating_refers() CASCADE;
DROP FUNCTION ratings_change_refers() CASCADE;
DROP FUNCTION ratings_referred_to_stays() CASCADE;
"""

KEYS_GO_WITH_THEIR_PLAYER = """
ALTER TABLE ratings_searchkey ADD CONSTRAINT search_key_of_player
    FOREIGN KEY (player_id) REFERENCES ratings_player (id) ON DELETE CASCADE;
"""

# Rows are marked in the order of their ids, so that two that add players wait for each other and never in a circle.
FOLLOW_NAMES = """
CREATE FUNCTION ratings_follow_new_names() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO ratings_searchkey (player_id, game_id, place, key)
    SELECT added.id, added.game_id, word.place - 1, word.key
    FROM added, unnest(added.search_keys) WITH ORDINALITY AS word (key, place);
    UPDATE ratings_player SET looks_alike = true
    WHERE id IN (
        SELECT alike.id
        FROM ratings_player AS alike
        WHERE NOT alike.looks_alike AND (alike.game_id, alike.skeleton) IN (
            SELECT known.game_id, known.skeleton
            FROM (SELECT DISTINCT game_id, skeleton FROM added) AS fresh
            JOIN ratings_player AS known USING (game_id, skeleton)
            GROUP BY known.game_id, known.skeleton
            HAVING count(*) > 1
        )
        ORDER BY alike.id
        FOR NO KEY UPDATE
    );
    RETURN NULL;
END
$$;
CREATE TRIGGER follow_new_names AFTER INSERT ON ratings_player REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION ratings_follow_new_names();

CREATE FUNCTION ratings_follow_changed_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.search_keys <> NEW.search_keys THEN
        DELETE FROM ratings_searchkey WHERE player_id = NEW.id;
        INSERT INTO ratings_searchkey (player_id, game_id, place, key)
        SELECT NEW.id, NEW.game_id, word.place - 1, word.key
        FROM unnest(NEW.search_keys) WITH ORDINALITY AS word (key, place);
    END IF;
    UPDATE ratings_player AS player SET looks_alike = alike.is_so
    FROM (
        SELECT id, count(*) OVER (PARTITION BY skeleton) > 1 AS is_so
        FROM ratings_player WHERE game_id = NEW.game_id AND skeleton IN (OLD.skeleton, NEW.skeleton)
    ) AS alike
    WHERE player.id = alike.id AND player.looks_alike <> alike.is_so;
    RETURN NULL;
END
$$;
CREATE TRIGGER follow_changed_name AFTER UPDATE OF skeleton, search_keys, looks_alike ON ratings_player FOR EACH ROW
    WHEN (
        pg_trigger_depth() = 0
        AND (
            OLD.skeleton <> NEW.skeleton OR OLD.search_keys <> NEW.search_keys OR OLD.looks_alike <> NEW.looks_alike
        )
    )
    EXECUTE FUNCTION ratings_follow_changed_name();
"""

FOLLOW_NO_NAMES = """
DROP TRIGGER follow_new_names ON ratings_player; DROP FUNCTION ratings_follow_new_names();
DROP TRIGGER follow_changed_name ON ratings_player; DROP FUNCTION ratings_follow_changed_name()
"""
