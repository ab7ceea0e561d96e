"""What a queue would do, before it is changed."""
