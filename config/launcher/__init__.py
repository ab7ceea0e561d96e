"""`bin/run`: the servers, the web site, a worker and beat, started in order and stopped in order."""
