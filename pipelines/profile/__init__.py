"""A tenant's profile: its schema, and how it is read."""
