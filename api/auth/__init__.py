"""Who asks, and what they may: tokens of players, keys of servers, scopes."""
