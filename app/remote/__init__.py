"""Client of a tenant that a server holds."""
