"""Results that count, and are annulled or corrected: what would follow, what follows, and what is told of it."""
