"""Events of game servers, and the ledger, let a deleted person's name be taken out of their texts."""

from django.db import migrations

from ratings.migrations._triggers import LEDGER_ONLY_GROWS

# Whoever takes a person out says so first, for one transaction: SET LOCAL evenmatch.forget_in_events = 'on'.
ONLY_TEXTS_CHANGE = """
CREATE OR REPLACE FUNCTION ratings_log_events_only_grow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND coalesce(current_setting('evenmatch.forget_in_events', true), '') = 'on'
       AND to_jsonb(NEW) - '{guest,guest_victim,detail}'::text[] = to_jsonb(OLD) - '{guest,guest_victim,detail}'::text[]
       AND (NEW.guest = '') = (OLD.guest = '') AND (NEW.guest_victim = '') = (OLD.guest_victim = '')
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'events are only added: % of event % of log % refused', lower(TG_OP), OLD.number, OLD.log_id
        USING ERRCODE = 'restrict_violation';
END
$$;
"""
NOTHING_CHANGES = """
CREATE OR REPLACE FUNCTION ratings_log_events_only_grow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'events are only added: % of event % of log % refused', lower(TG_OP), OLD.number, OLD.log_id
        USING ERRCODE = 'restrict_violation';
END
$$;
"""
# Likewise: SET LOCAL evenmatch.forget_in_ledger = 'on'.
ONLY_FACETS_CHANGE = """
CREATE OR REPLACE FUNCTION ratings_ledger_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND coalesce(current_setting('evenmatch.drop_ledger', true), '') = 'on' THEN
        RETURN OLD;
    END IF;
    IF TG_OP = 'UPDATE' AND coalesce(current_setting('evenmatch.forget_in_ledger', true), '') = 'on'
       AND to_jsonb(NEW) - 'facet' = to_jsonb(OLD) - 'facet' AND NEW.facet <> '' AND OLD.facet <> ''
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the ledger only grows: % of row % refused', lower(TG_OP), OLD.id
        USING ERRCODE = 'restrict_violation';
END
$$;
"""
FACETS_STAY = LEDGER_ONLY_GROWS.partition("CREATE TRIGGER")[0].replace(
    "CREATE F", "CREATE OR REPLACE F"
)


class Migration(migrations.Migration):
    dependencies = [
        ("ratings", "0040_guests"),
    ]

    operations = [
        migrations.RunSQL(ONLY_TEXTS_CHANGE, NOTHING_CHANGES),
        migrations.RunSQL(ONLY_FACETS_CHANGE, FACETS_STAY),
    ]
