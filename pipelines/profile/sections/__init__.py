"""The sections of a profile, by subject."""
