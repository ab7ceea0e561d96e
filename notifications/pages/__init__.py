"""Pages on which people read notices and choose how they are told."""
