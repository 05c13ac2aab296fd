"""Badges: the little images at the top of a project's page that show whether its tests pass."""

from __future__ import annotations

import re

_BADGE = re.compile(
    r"\bbadges?\b|shields\.io/|codecov\.io/.+\.svg|travis-ci\.\w+/.+\.(?:svg|png)|circleci\.com/.+\.svg|/actions/.+\.svg",
    re.IGNORECASE,
)


def is_badge(address: str) -> bool:
    """Return whether the image at an address is a badge: its words say nothing of what the document is about."""
    return _BADGE.search(address) is not None
