"""Web Push: keys, addresses of browsers, and sending."""
