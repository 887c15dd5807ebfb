"""DQL: parse, plan, SQL for an engine."""
