"""Moments as `foundation.templatetags.display.moment` has them, with their zone."""

DATETIME_FORMAT = "d.m.Y, H:i T"
