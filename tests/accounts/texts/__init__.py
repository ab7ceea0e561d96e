"""The site's own words, what is kept, and who accepted the rules."""
