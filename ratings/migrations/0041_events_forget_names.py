"""Events of game servers let a deleted person's name be taken out of their texts."""

from django.db import migrations

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


class Migration(migrations.Migration):
    dependencies = [
        ("ratings", "0040_guests"),
    ]

    operations = [migrations.RunSQL(ONLY_TEXTS_CHANGE, NOTHING_CHANGES)]
