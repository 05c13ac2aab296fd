import sys
from math import exp

import pytest

from pipelines.components.logistic import fit_logistic
from pipelines.errors import MissingPackage

ROWS = [[number / 20, float(number % 3 == 0)] for number in range(40)]
POSITIVE = [number % 5 != 0 and number > 12 for number in range(40)]


def test_plain_coefficients_say_what_the_fitted_model_says() -> None:
    linear_model = pytest.importorskip("sklearn.linear_model")
    counts = [1.0 + number % 2 for number in range(40)]
    intercept, weights = fit_logistic(ROWS, POSITIVE, counts)
    twice = [number for number in range(40) for _ in range(1 + number % 2)]
    model = linear_model.LogisticRegression(C=10.0, max_iter=1000).fit(
        [ROWS[number] for number in twice], [POSITIVE[number] for number in twice]
    )
    for row, expected in zip(ROWS, model.predict_proba(ROWS)[:, 1], strict=True):
        score = intercept + sum(weight * value for weight, value in zip(weights, row, strict=True))
        assert 1 / (1 + exp(-score)) == pytest.approx(expected, abs=1e-3)


def test_without_scikit_learn_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    with pytest.raises(MissingPackage, match=r"scikit-learn is not installed; run: pip install .*\[calibrate\]"):
        fit_logistic(ROWS, POSITIVE, [1.0] * 40)
