"""One against one by any conditions."""
