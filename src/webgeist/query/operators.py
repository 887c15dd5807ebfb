"""The words of the language. docs/query-language.md has an example of each; a test compares.

Every operator may be written with or without `$`.
"""

from __future__ import annotations

COMPARISONS = ("$eq", "$ne", "$gt", "$gte", "$lt", "$lte")
LISTS = ("$in", "$nin", "$between")
TEXTS = ("$like", "$regex")
COLOURS = ("$near", "$alpha")
VALUES = (*COMPARISONS, *LISTS, *TEXTS, "$exists", *COLOURS)  # what is said of a column
LOGIC = ("$and", "$or", "$not")
LAYOUT = ("$above", "$left_of", "$contains", "$overlaps")
QUANTIFIERS = ("$any", "$all", "$none", "$cnt")
STRUCTURE = ("@parent", "@ancestor", "@children", "@descendants", "@siblings")

AGGREGATES = ("$count", "$sum", "$avg", "$min", "$max", "$quantile")
DISTRIBUTIONS = ("$top", "$cdf", "$histogram", "$heatmap")
RESULTS = ("$distinct", *AGGREGATES, *DISTRIBUTIONS)
PARTS = ("$from", "$where", "$select", "$group", "$order", "$limit", "$sample", "$compare")
PARTS_OF_A_QUERY = (*PARTS, "$fetch", *RESULTS)

ALL = (*VALUES, *LOGIC, *LAYOUT, *QUANTIFIERS, *STRUCTURE, *PARTS_OF_A_QUERY)


def operator(key: str, known: tuple[str, ...]) -> str | None:
    """The operator that a key means, with or without `$`; None where it is none of the known."""
    word = key if key.startswith("$") else f"${key}"
    return word if word in known else None
