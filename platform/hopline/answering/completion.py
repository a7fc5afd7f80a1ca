"""One completion of the answering model, or the reason why it cannot be used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from hopline.errors import BudgetSpent, ModelError
from hopline.flow.requests import Flow, ask

NO_DATA: Final = "the model's reply holds no JSON object"


def complete(
    prompt: str, *, schema: Mapping[str, Any], system: str, max_tokens: int
) -> Flow[tuple[Mapping[str, Any] | None, str]]:
    """The reply's data and ""; or None and why: the model failed, its reply fits no form, or the budget is spent."""
    try:
        [reply] = yield ask([prompt], schema=schema, system=system, max_tokens=max_tokens)
    except (ModelError, BudgetSpent) as error:
        return None, str(error) or type(error).__name__
    if reply.ok and isinstance(reply.data, dict):
        return reply.data, ""
    return None, reply.error or NO_DATA
