"""What players ask of moderators, and their names."""

from api.views.moderation import appeals, conduct, names, player_reports

__all__ = ["appeals", "conduct", "names", "player_reports"]
