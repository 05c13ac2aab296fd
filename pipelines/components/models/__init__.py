"""Models that run in this process: which there are, where their weights lie, and what runs them."""
