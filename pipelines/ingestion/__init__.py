"""From files to committed chunks."""
