"""Groups that players make and join, whom and which groups the site suggests, and groups drawn by lot."""
