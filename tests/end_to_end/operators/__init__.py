"""What operators and moderators do on the pages of the administration, and what the players concerned see of it."""
