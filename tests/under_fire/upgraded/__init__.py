"""A site that is played on while it is upgraded: in place, or one group of processes after the other."""
