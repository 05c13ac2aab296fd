"""Texts in which people ask and answer: each question is the heading of its answer."""
