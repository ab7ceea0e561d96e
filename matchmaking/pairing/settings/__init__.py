"""What an operator chooses for a queue: sections of parameters, each declared once with its range."""

from matchmaking.pairing.settings.settings import SECTIONS, STRATEGIES, Settings

__all__ = ["SECTIONS", "STRATEGIES", "Settings"]
