"""Which URLs, and when: frontier, scope, robots, sitemaps, politeness, worker."""
