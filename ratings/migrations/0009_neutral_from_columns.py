"""Imports of earlier releases kept the column `neutral` as text: it means something now."""

from django.db import migrations

_READ = """
UPDATE ratings_match
SET is_neutral = lower(extra ->> 'neutral') IN ('1', 'true', 'yes'), extra = extra - 'neutral'
WHERE source_id IS NOT NULL AND lower(extra ->> 'neutral') IN ('1', 'true', 'yes', '', '0', 'false', 'no')
"""
_WRITE_BACK = """
UPDATE ratings_match SET is_neutral = false, extra = extra || '{"neutral": "1"}'
WHERE source_id IS NOT NULL AND is_neutral
"""


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0008_neutral_matches'),
    ]

    operations = [
        migrations.RunSQL(_READ, _WRITE_BACK),
    ]
