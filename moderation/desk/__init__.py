"""The desk: what waits, who has it, what speaks for and against, what is decided."""
