"""The demo's shooter: servers that simulated players join and leave, and that tell what happens there."""
