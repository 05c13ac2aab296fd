"""What a turn knows of those before it: their subject, and their messages."""
