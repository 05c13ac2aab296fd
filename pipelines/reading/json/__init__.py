"""JSON: objects as sections of facts, lists of like objects as tables."""
