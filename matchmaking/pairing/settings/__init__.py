"""What an operator chooses for a queue: sections of parameters, each declared once with its range."""

from matchmaking.pairing.settings.choosing import Settings
from matchmaking.pairing.settings.sections import SECTIONS

__all__ = ["SECTIONS", "Settings"]
