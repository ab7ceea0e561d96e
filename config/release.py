"""Which release this is. Needs nothing, so that everything may ask."""

VERSION = "0.1.0"
