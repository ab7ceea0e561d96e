"""The pages of what goes on for a player: the bar, disputes, open matters."""
