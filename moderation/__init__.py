"""The moderators' desk: reports, appeals, decisions, names."""
