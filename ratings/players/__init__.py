"""Players of games: new, claimed by an account, searched for."""
