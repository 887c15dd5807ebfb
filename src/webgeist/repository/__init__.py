"""Where captures are kept: archive, tables, staging, releases, checks."""
