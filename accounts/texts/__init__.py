"""The site's own words: its name, imprint, privacy page and rules, and who accepted which rules."""
