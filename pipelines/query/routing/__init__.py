"""Answers that are looked for in the documents, with tools, or both, as the language model decides."""
