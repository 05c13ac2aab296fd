"""Logistic regression, fitted with scikit-learn; what is fitted is used without it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipelines.errors import MissingPackage

_FREEDOM = 10.0
"""scikit-learn's ``C``: how far the weights may go, which matters where there are few rows."""


def require_scikit_learn() -> Any:
    """Return scikit-learn's logistic regression.

    Raises:
        MissingPackage: scikit-learn is not installed.
    """
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        raise MissingPackage("scikit-learn", "calibrate") from None
    return LogisticRegression


def fit_logistic(
    rows: Sequence[Sequence[float]], positive: Sequence[bool], counts: Sequence[float]
) -> tuple[float, list[float]]:
    """Return the intercept and the weights that make ``1 / (1 + exp(-(intercept + weights . row)))`` most likely.

    Both kinds of row must be present. ``counts`` says how often each row counts.

    Raises:
        MissingPackage: scikit-learn is not installed.
    """
    model = require_scikit_learn()(C=_FREEDOM, max_iter=1000).fit(rows, positive, counts)
    return float(model.intercept_[0]), [float(weight) for weight in model.coef_[0]]
