"""What players are told, and how."""
