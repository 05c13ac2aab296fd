"""Servers on loopback that speak the protocols of what cannot be had in a test."""
