"""What has been rated, and what was expected of it before."""
