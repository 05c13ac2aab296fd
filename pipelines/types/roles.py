"""What the holder of a key may do."""

from __future__ import annotations

from typing import Literal

Role = Literal["reader", "writer", "admin"]
"""Each may do what the one before may, and more."""
