"""Where analyses and queries run: local processes and DuckDB; Spark."""
