"""What a site tells those who watch over it: health, metrics, logs, room on the disk."""
