"""Facts, annotators, rules and templates, compiler, classifier, pagination."""
