"""Questions that are answered in steps: sub-questions, a search for each, and one answer from all of them."""
