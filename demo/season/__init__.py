"""The season before now: who plays, how strong they truly are, and every match between them.

`names`, `people`, `calendar`, `careers`, `line_ups`, `matches` are pure: they take a generator and know neither
database nor clock.
"""
