"""How good a profile is on a dataset."""
