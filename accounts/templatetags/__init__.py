"""What templates know of the site's own words."""
