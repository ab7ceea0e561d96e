"""The models of this app, where Django looks for them."""

from foundation.timekeeping.models import ClockPause, Heartbeat

__all__ = ["ClockPause", "Heartbeat"]
