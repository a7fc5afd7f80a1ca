"""What a strategy asks its model on the way: one prompt, one reply, and when it is over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hopline.errors import BudgetSpent, ModelError, ModelUnavailable
from hopline.flow.requests import Flow, ask

MOST_TOKENS: Final = 300  # of a reply on the way


class Silence(Exception):
    """The model says no more: the budget is spent, or it went away after it had answered."""


@dataclass(slots=True)
class Talk:
    """One strategy's talk with its model about one question.

    A reply that cannot be used is None and costs its caller a step. A model that cannot be
    reached at all is the caller's error; one that goes away later ends the talk, not the question.
    """

    heard: bool = False

    def told(
        self, prompt: str, schema: Mapping[str, Any], *, system: str, most: int = MOST_TOKENS
    ) -> Flow[dict[str, Any] | None]:
        """The data of the reply, or None.

        Raises:
            Silence: nothing more can be asked; the strategy should return what it has.
            ModelUnavailable: no model is configured, or it never answered.
        """
        [data] = yield from self.told_all([prompt], schema, system=system, most=most)
        return data

    def told_all(
        self, prompts: Sequence[str], schema: Mapping[str, Any], *, system: str, most: int = MOST_TOKENS
    ) -> Flow[list[dict[str, Any] | None]]:
        """The data of the reply to each prompt, or None in its place; asked side by side.

        Raises:
            Silence, ModelUnavailable: as `told`.
        """
        if not prompts:
            return []
        try:
            replies = yield ask(prompts, schema=schema, system=system, max_tokens=most)
        except BudgetSpent as error:
            raise Silence from error
        except ModelUnavailable as error:
            if self.heard:
                raise Silence from error
            raise
        except ModelError:
            return [None] * len(prompts)
        self.heard = True
        return [reply.data if reply.ok and isinstance(reply.data, dict) else None for reply in replies]


def form(**fields: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of an object that has exactly these fields."""
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


TEXT: Final[Mapping[str, Any]] = {"type": "string"}
YES_NO: Final[Mapping[str, Any]] = {"type": "boolean"}


def one_line(text: str) -> str:
    """A reply's text without line breaks and quotes around it."""
    return " ".join(text.split()).strip("\"' ")
