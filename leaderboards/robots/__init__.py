"""What search engines, link previews and devices ask a site for: robots.txt, sitemaps, a manifest, an icon."""
