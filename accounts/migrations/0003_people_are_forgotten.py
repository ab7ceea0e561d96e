"""The audit log still only grows, but what it tells of a person can go with that person: who did what, and when, stays."""

from django.db import migrations

FORGETS = """
CREATE OR REPLACE FUNCTION accounts_audit_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- Whoever takes out a person says so first, for one transaction: SET LOCAL evenmatch.forget_person = 'on'.
    IF TG_OP = 'UPDATE' AND coalesce(current_setting('evenmatch.forget_person', true), '') = 'on'
        AND (OLD.id, OLD.at, OLD.actor_id, OLD.action, OLD.target_type, OLD.target_id)
            IS NOT DISTINCT FROM (NEW.id, NEW.at, NEW.actor_id, NEW.action, NEW.target_type, NEW.target_id)
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the audit log only grows: % of row % refused', lower(TG_OP), OLD.id
        USING ERRCODE = 'restrict_violation';
END
$$;
"""
ONLY_GROWS = """
CREATE OR REPLACE FUNCTION accounts_audit_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log only grows: % of row % refused', lower(TG_OP), OLD.id
        USING ERRCODE = 'restrict_violation';
END
$$;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0002_ready_roles'),
    ]

    operations = [migrations.RunSQL(FORGETS, ONLY_GROWS)]
