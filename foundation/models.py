"""What the ground floor keeps: signs of steady time."""

from foundation.timekeeping.models import ClockPause, Heartbeat

__all__ = ["ClockPause", "Heartbeat"]
