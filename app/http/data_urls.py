"""Files that arrive inside JSON, as data URLs (RFC 2397) or bare base64."""

from __future__ import annotations

import base64
import binascii

from pipelines.errors import ImageTooLarge, InvalidImage

_SCHEME = "data:"
_MARK = ";base64"


def image_bytes(text: str, most_bytes: int) -> bytes:
    """Return the image that ``text`` spells; whether it is one is not looked at.

    Raises:
        InvalidImage: It is not base64.
        ImageTooLarge: It is over ``most_bytes``.
    """
    head, comma, rest = text.partition(",") if text[: len(_SCHEME)].lower() == _SCHEME else ("", ",", text)
    if not comma or (head and not head.lower().endswith(_MARK)):
        raise InvalidImage("is a data URL without base64; send data:image/jpeg;base64,...")
    encoded = "".join(rest.split())
    if len(encoded) * 3 // 4 > most_bytes + 2:
        raise ImageTooLarge(most_bytes, "bytes")
    try:
        return base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidImage("is not base64; send data:image/jpeg;base64,...") from error
