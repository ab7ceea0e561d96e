"""What is known of a request before anybody answers it: where it is from, what it takes, and how long it may take."""
