"""Cuts texts into the passages that may answer, and shows them."""
