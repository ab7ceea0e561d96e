"""What `bin/bench rating` measures of our own: games, and a process that rates them."""
