"""Names are compared by Unicode's own table of look-alikes, found by each of their words, and can all be shown.

What was stored by the older, smaller table is computed anew. Where two accounts of a game then hold names that look
alike, the older account keeps the name to itself; the other may go on under its own and is listed for the operator.
"""

from typing import Any

import django.contrib.postgres.fields
from django.conf import settings
from django.db import migrations, models

from foundation.names import clean_name, search_keys, skeleton_of

_AT_ONCE = 5_000
_STORE = """
UPDATE ratings_player AS player
SET name = given.name, skeleton = given.skeleton, search_keys = string_to_array(given.keys, ' ')
FROM unnest(%s::bigint[], %s::text[], %s::text[], %s::text[]) AS given (id, name, skeleton, keys)
WHERE player.id = given.id
"""
_LET_GO = """
UPDATE ratings_player AS player SET holds_name = false
WHERE user_id IS NOT NULL AND EXISTS (
    SELECT FROM ratings_player AS older
    WHERE older.game_id = player.game_id AND older.skeleton = player.skeleton AND older.user_id IS NOT NULL
        AND older.id < player.id
)
"""
_MARK = """
UPDATE ratings_player SET looks_alike = true
WHERE (game_id, skeleton) IN (SELECT game_id, skeleton FROM ratings_player GROUP BY 1, 2 HAVING count(*) > 1)
"""
_FILL = """
INSERT INTO ratings_searchkey (player_id, game_id, place, key)
SELECT player.id, player.game_id, word.place - 1, word.key
FROM ratings_player AS player, unnest(player.search_keys) WITH ORDINALITY AS word (key, place)
"""
_KEYS_GO_WITH_THEIR_PLAYER = """
ALTER TABLE ratings_searchkey ADD CONSTRAINT search_key_of_player
    FOREIGN KEY (player_id) REFERENCES ratings_player (id) ON DELETE CASCADE;
"""
# Rows are marked in the order of their ids, so that two that add players wait for each other and never in a circle.
_FOLLOW_NAMES = """
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
_FOLLOW_NO_NAMES = """
DROP TRIGGER follow_new_names ON ratings_player; DROP FUNCTION ratings_follow_new_names();
DROP TRIGGER follow_changed_name ON ratings_player; DROP FUNCTION ratings_follow_changed_name()
"""


def compare_anew(apps: Any, schema_editor: Any) -> None:
    """Clean the names, and compute what follows from them."""
    known = apps.get_model("ratings", "Player").objects.order_by("pk").values_list("pk", "name")
    with schema_editor.connection.cursor() as cursor:
        last = 0
        while batch := list(known.filter(pk__gt=last)[:_AT_ONCE]):
            names = [clean_name(name)[:100] for _pk, name in batch]
            skeletons = [skeleton_of(name) for name in names]
            keys = [" ".join(search_keys(name)) for name in names]
            cursor.execute(_STORE, [[pk for pk, _name in batch], names, skeletons, keys])
            last = batch[-1][0]
        for statement in (_LET_GO, _MARK, _FILL):
            cursor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [
        ("ratings", "0016_worth_of_a_surprise"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="SearchKey",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "player_id",
                        "place",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("game_id", models.BigIntegerField()),
                ("place", models.SmallIntegerField()),
                ("key", models.TextField(db_collation="C")),
                (
                    "player",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=models.DO_NOTHING,
                        related_name="+",
                        to="ratings.player",
                    ),
                ),
            ],
        ),
        migrations.RemoveConstraint(model_name="player", name="player_claimed_name_unique"),
        migrations.RemoveIndex(model_name="player", name="player_search"),
        migrations.AddField(
            model_name="player",
            name="holds_name",
            field=models.BooleanField(
                db_default=True,
                default=True,
                editable=False,
                help_text="No other account of the game may hold a name that looks like this one.",
                verbose_name="holds the name",
            ),
        ),
        migrations.AddField(
            model_name="player",
            name="looks_alike",
            field=models.BooleanField(
                db_default=False,
                default=False,
                editable=False,
                help_text="Another player of the game has a name that looks like this one.",
                verbose_name="looks alike",
            ),
        ),
        migrations.AddField(
            model_name="player",
            name="search_keys",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.TextField(),
                db_default=[],
                default=list,
                editable=False,
                help_text="The name, and what begins at each further word of it, as searches compare it.",
                size=None,
                verbose_name="search keys",
            ),
        ),
        migrations.AlterField(
            model_name="player",
            name="skeleton",
            field=models.CharField(
                editable=False,
                help_text="What the name looks like, whatever its case and accents: names that look alike have the "
                "same.",
                max_length=200,
                verbose_name="comparable name",
            ),
        ),
        migrations.RunPython(compare_anew, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="player",
            index=models.Index(fields=["game", "skeleton"], name="player_alike"),
        ),
        migrations.AddIndex(
            model_name="player",
            index=models.Index(
                condition=models.Q(("looks_alike", True)),
                fields=["game", "skeleton", "id"],
                name="player_looks_alike",
            ),
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.UniqueConstraint(
                models.F("game"),
                models.F("skeleton"),
                condition=models.Q(("holds_name", True), ("user__isnull", False)),
                name="player_held_name_unique",
                violation_error_message="A name that looks like this one is taken.",
            ),
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "name__regex",
                        r"[\u0001-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]",
                    ),
                    _negated=True,
                ),
                name="player_name_can_be_shown",
            ),
        ),
        migrations.AddIndex(
            model_name="searchkey",
            index=models.Index(
                condition=models.Q(("place", 0)),
                fields=["key", "player"],
                include=("game_id",),
                name="search_whole_name",
            ),
        ),
        migrations.AddIndex(
            model_name="searchkey",
            index=models.Index(
                condition=models.Q(("place__gt", 0)),
                fields=["key", "player"],
                include=("game_id",),
                name="search_inside_name",
            ),
        ),
        migrations.RunSQL(
            _KEYS_GO_WITH_THEIR_PLAYER,
            "ALTER TABLE ratings_searchkey DROP CONSTRAINT search_key_of_player",
        ),
        migrations.RunSQL(_FOLLOW_NAMES, _FOLLOW_NO_NAMES),
    ]
