"""Plain text: titles, lists and tables that only their lines show."""
