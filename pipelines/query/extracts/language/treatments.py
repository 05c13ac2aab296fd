"""What is done to data that a text can tell of only by its name, or by that of a means: encryption, compression.

The rules are for English.
"""

from __future__ import annotations

import re

_TREATMENTS = tuple(
    (re.compile(rf"\b(?:{asks})\w*", re.IGNORECASE), re.compile(rf"(?<![a-z])(?:{says})", re.IGNORECASE))
    for asks, says in (
        ("encrypt|decrypt", r"\w*crypt|cipher|aes\b|https(?!:)|gpg|pgp|ssl|tls"),
        ("compress(?!or)|decompress", r"\w*compress|brotli|bzip|deflat|gzip|lz4|shrink|tar\b|xz\b|\w*zip|zstd"),
        ("translat", r"translat|i18n|internationali|languages?\b|locali[sz]|multilingual"),
        ("anonymi[sz]|pseudonymi[sz]", r"anonym|identif|mask|personal|pseudonym|redact"),
        ("minif", r"minif|minimi[sz]|uglif|compress|shrink"),
    )
)
"""What asks for a treatment, and what a text says that may tell of it."""


def lacks_treatment(question: str, text: str) -> bool:
    """Return whether a question names a treatment of data that a text does not speak of in any words."""
    return any(asks.search(question) and not says.search(text) for asks, says in _TREATMENTS)
