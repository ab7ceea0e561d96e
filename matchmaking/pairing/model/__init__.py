"""What pairing computes with: plans, seats, rules, and the matches that come of them."""
