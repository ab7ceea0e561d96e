"""Pages: of players, who report and appeal, and of moderators."""
