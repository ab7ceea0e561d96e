"""Moments as `foundation.templatetags.display.moment` has them, with their zone."""

DATETIME_FORMAT = "j M Y, H:i T"
