"""What a report is measured against: the site with one endpoint more, which only inserts a row."""
