"""What the web server adds to gunicorn: turns, deadlines, and answers that cost nothing."""
