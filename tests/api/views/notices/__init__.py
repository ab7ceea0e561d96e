"""What players were told, over the API."""
