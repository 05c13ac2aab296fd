"""An OpenAI-compatible API: each tenant is a model, and its answers carry footnotes.

As in OpenAI's API reference for `GET /models`, `GET /models/{model}` and `POST /chat/completions`. Deviations:

- What an answer cannot follow is refused where leaving it out would change what the caller reads (several choices,
  tools, forms, log probabilities, images), and ignored elsewhere (temperatures, seeds, budgets: the profile says how a
  tenant answers). System messages are ignored for the same reason.
- `usage` is an estimate, of four bytes a token.
"""

from app.openai.routes import build

__all__ = ["build"]
