"""Scraping programs: readable files that are validated, shown, run in a browser and exported."""
