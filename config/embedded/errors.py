"""What goes wrong before the site answers, told in one line."""


class StartError(Exception):
    """A reason not to start that its reader can act on; never shown with a traceback."""
