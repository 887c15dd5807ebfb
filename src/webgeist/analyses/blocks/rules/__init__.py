"""The rule language: Datalog with negation, aggregation and templates, compiled to SQL."""
