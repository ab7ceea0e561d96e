"""`bin/upgrade`: a backup, another release, its tables, and the site started again with it."""
