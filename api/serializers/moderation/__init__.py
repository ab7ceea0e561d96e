"""What the API tells of conduct, and of what moderators decide."""
