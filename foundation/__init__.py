"""The ground floor: clock, locks, bulk copying, metrics."""
