"""Source code and settings files, kept as they are written."""
