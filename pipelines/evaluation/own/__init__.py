"""Evaluations on documents as users have them, with questions that were written by hand."""
