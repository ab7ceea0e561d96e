"""What an operator chooses for a queue: sections of parameters, each declared once with its range."""

from matchmaking.pairing.settings.sections import SECTIONS
from matchmaking.pairing.settings.settings import Settings

__all__ = ["SECTIONS", "Settings"]
