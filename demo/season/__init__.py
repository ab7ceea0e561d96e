"""The season before now: who plays, how strong they truly are, and every match between them.

`names`, `people`, `calendar`, `careers`, `matches` are pure: they take a generator and know neither database nor clock.
"""
