"""Where a match is played, and who plays which side."""
