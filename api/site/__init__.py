"""The page on which players make and revoke their own tokens."""
