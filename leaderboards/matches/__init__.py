"""What pages and the API tell about matches."""
