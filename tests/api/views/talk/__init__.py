"""Talk over the API."""
