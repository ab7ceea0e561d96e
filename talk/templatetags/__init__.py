"""Tags of the pages of talk."""
