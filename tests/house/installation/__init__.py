"""An installation as its users meet it: set up, started, ended, upgraded, and short of something."""
