"""Finds the rows and cells of tables that answer."""
