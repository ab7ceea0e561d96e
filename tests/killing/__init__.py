"""Rating under fire: workers that are killed and stopped while they rate, and a count of what is left of it."""
