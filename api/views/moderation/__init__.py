"""What players ask of moderators, and their names."""

from api.views.moderation import appeals, names, player_reports

__all__ = ["appeals", "names", "player_reports"]
