"""Questions about images."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pipelines.components.images import prepared_image
from pipelines.components.llm import Llm
from pipelines.engine.parts.models import choose_llm
from pipelines.engine.parts.view import TenantView
from pipelines.errors import LlmUnavailable
from pipelines.query.forms import Written
from pipelines.query.vision import look


class Vision:
    """Asks the profile's language model, which must be able to see, about images."""

    def __init__(self, view: TenantView, llm: Llm | None) -> None:
        self._view = view
        self._llm = llm

    def look(
        self,
        image: bytes,
        question: str,
        form: type[Written],
        *,
        llm: Mapping[str, str] | None = None,
        on_wait: Callable[[], None] | None = None,
    ) -> tuple[Written, str]:
        """Return what the model says about an image, and the model's name.

        Args:
            image: The file: JPEG, PNG, WebP, GIF or BMP.
            question: What to look for.
            form: What the answer must be; its JSON schema is sent along. Its texts are a model's: do not trust them.
            llm: See `pipelines.types.Query`.
            on_wait: Called at least ten times a second while the model looks; what it raises stops it.

        Raises:
            InvalidImage: It is no image, or too large; see `limits -> image_bytes`.
            LlmUnavailable: There is no model, or it is away, cannot see, or gave no answer of the form.
            LlmTimeout: It is too slow.
        """
        prepared = prepared_image(image, self._view.profile.limits.image_bytes)
        model = choose_llm(self._llm, llm)
        if model is None:
            raise LlmUnavailable("a language model that sees", "the profile names none; see llm")
        return look(model, prepared, question, form, on_wait), model.name
