"""What is done to data that a text can tell of only by its name, or by that of a means: encryption, compression.

The rules are for English.
"""

from __future__ import annotations

import re

_NO_DATA = "".join(f"(?<!{one} )" for one in ("chest", "cold", "cool", "hot", "ice", "warm", "wet"))
"""What stands before what is no treatment of data, but of patients: "chest compressions"."""
_LANGUAGES = (
    "arabic|chinese|danish|dutch|english|finnish|french|german|greek|italian|japanese|korean|norwegian|polish|portuguese"
    "|russian|spanish|swedish|turkish|ukrainian|welsh"
)
_TREATMENTS = tuple(
    (re.compile(rf"\b(?:{asks})\w*", re.IGNORECASE), re.compile(rf"(?<![a-z])(?:{says})", re.IGNORECASE))
    for asks, says in (
        (
            "encrypt|decrypt",
            r"\w*crypt|cipher|aes\b|bitlocker|filevault|https(?!:)|gpg|luks|pgp|rsa\b|s/mime|sftp|ssh|ssl|tls|vpn|wireguard",
        ),
        (
            rf"(?:{_NO_DATA})compress(?!or|ion\s+(?:bandage|sock|stocking)|ed\s+(?:air|gas))|decompress",
            r"\w*compress|brotli|bzip|deflat|gzip|lz4|shrink|smaller|snappy|tar\b|xz\b|7z\b|\w*zip|zstd",
        ),
        (
            "translat",
            r"translat|i18n|internationali|languages?\b|locali[sz]|multilingual|(?:compil|convert|map|rewrit|transform)"
            rf"|(?:{_LANGUAGES})\b",
        ),
        (
            "anonymi[sz]|pseudonymi[sz]",
            r"anonym|aggregat|blur|hash|identif|mask|personal|pseudonym|redact|remov|replac|strip|without\s+names?\b",
        ),
        ("minif", r"minif|minimi[sz]|uglif|compress|shrink"),
    )
)
"""What asks for a treatment, and what a text says that may tell of it."""


def lacks_treatment(question: str, text: str) -> bool:
    """Return whether a question names a treatment of data that a text does not speak of in any words."""
    return any(asks.search(question) and not says.search(text) for asks, says in _TREATMENTS)
