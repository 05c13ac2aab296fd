"""Working on a tenant through the server that holds it."""
