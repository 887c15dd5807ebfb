"""The page model in memory: nodes, styles, boxes. Knows no other room."""
