"""An attack on a running server: canaries in tenants and scopes, and every route asked for them with other keys."""

from app.isolation.attack import Attempt, attack
from app.isolation.canaries import Canary, Intruder, Target, planted

__all__ = ["Attempt", "Canary", "Intruder", "Target", "attack", "planted"]
