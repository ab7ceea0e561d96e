"""What an account sees of itself on the public pages."""
