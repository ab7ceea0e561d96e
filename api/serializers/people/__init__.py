"""What the API tells of people: friends and blocks, profiles, groups, talk, notices."""
