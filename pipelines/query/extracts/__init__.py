"""Extracts: the passages of what was found that answer a question, word for word."""
