"""Expressions for hours, in the notations that people use. The rules are for English."""

CLOCK = (
    r"\b(?:[01]?\d|2[0-3]):[0-5]\d\b|\b\d{1,2}(?:[.:]\d\d)?\s?(?i:[ap]\.?m\b|o['\u2019]clock\b)"
    r"|\b(?i:midday|midnight|noon)\b"
    r"|\b(?:[01]?\d|2[0-3])\.[0-5]\d\s?[\u2013-]\s?(?:[01]?\d|2[0-3])\.[0-5]\d\b"
    r"|\b(?i:at|after|before|by|from|till|until)\s(?:[01]?\d|2[0-3])\.[0-5]\d\b(?!\.?\d|\s?(?:[$%\u20ac\u00a3\u00b0]|[A-Z]{3}\b|k?m\b|kg\b|l\b))"
)
"""Hours; with a dot only where there is a range of them, or a word for a time stands before one: "by 11.00"."""
OPENING_HOURS = (
    r"\b(?:arrives|begins|closes|departs|ends|finishes|leaves|opens|starts)(?:\s+at|:)\s+\d{1,2}\b(?![.,%]?\d|\s?%)"
    r"|:\s+closed\b"
)
"""What a row of opening hours says: "Opens: 9", "Monday: closed"."""
