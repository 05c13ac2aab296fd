"""From a question to hits, and to an answer with footnotes."""
