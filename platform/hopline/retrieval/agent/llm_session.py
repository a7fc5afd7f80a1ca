"""Requests of a strategy to its language model: prompts, JSON replies, and the end of the session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from hopline.errors import BudgetSpent, ModelError, ModelUnavailable
from hopline.flow.requests import Flow, ask

MAX_TOKENS: Final = 300  # of an intermediate reply


class LlmExhausted(Exception):
    """The model can no longer be asked: the budget is spent, or it became unavailable after it had replied.

    ``out_of_time``: the budget of seconds is spent, so that the strategy should not search any more either. It may be a
    search that is refused then, with `BudgetSpent`: a loop that catches the one catches the other.
    """

    def __init__(self, *, out_of_time: bool = False) -> None:
        super().__init__()
        self.out_of_time = out_of_time


@dataclass(slots=True)
class LlmSession:
    """One strategy's requests to its language model about one question.

    A reply that cannot be used is None and costs its caller a step. No prompt is sent twice: the second time it gets
    the first reply. A model that was never available is an error of the caller; a model that becomes unavailable later
    ends the session, but not the question.
    """

    has_replied: bool = False
    replies: dict[tuple[str, str], dict[str, Any] | None] = field(default_factory=dict)  # by instruction and prompt

    def ask(
        self, prompt: str, schema: Mapping[str, Any], *, system: str, max_tokens: int = MAX_TOKENS
    ) -> Flow[dict[str, Any] | None]:
        """Return the data of the reply, or None if it cannot be used.

        Raises:
            LlmExhausted: the model can no longer be asked; the strategy should return what it has.
            ModelUnavailable: no model is configured, or it never replied.
        """
        [data] = yield from self.ask_all([prompt], schema, system=system, max_tokens=max_tokens)
        return data

    def ask_all(
        self, prompts: Sequence[str], schema: Mapping[str, Any], *, system: str, max_tokens: int = MAX_TOKENS
    ) -> Flow[list[dict[str, Any] | None]]:
        """Return the data of the reply to each prompt, or None in its place; the prompts run concurrently.

        Raises:
            LlmExhausted, ModelUnavailable: as `ask`.
        """
        new = [prompt for prompt in dict.fromkeys(prompts) if (system, prompt) not in self.replies]
        if new:
            replies = yield from self._send(new, schema, system=system, max_tokens=max_tokens)
            self.replies |= {(system, prompt): data for prompt, data in zip(new, replies, strict=True)}
        return [self.replies[system, prompt] for prompt in prompts]

    def _send(
        self, prompts: Sequence[str], schema: Mapping[str, Any], *, system: str, max_tokens: int
    ) -> Flow[list[dict[str, Any] | None]]:
        """Return the data of the reply to each prompt.

        Raises:
            LlmExhausted, ModelUnavailable: as `ask`.
        """
        try:
            replies = yield ask(prompts, schema=schema, system=system, max_tokens=max_tokens)
        except BudgetSpent as error:
            raise LlmExhausted(out_of_time=error.out_of_time) from error
        except ModelUnavailable as error:
            if self.has_replied:
                raise LlmExhausted from error
            raise
        except ModelError:
            return [None] * len(prompts)
        self.has_replied = True
        return [reply.data if reply.ok and _is_whole(reply.data, schema) else None for reply in replies]


def _is_whole(data: Any, schema: Mapping[str, Any]) -> bool:
    """Whether a reply has all required properties; one that was cut at its maximum length may lack some."""
    return isinstance(data, dict) and data.keys() >= set(schema.get("required", ()))


def object_schema(**fields: Mapping[str, Any]) -> dict[str, Any]:
    """JSON schema of an object with exactly these fields."""
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


TEXT: Final[Mapping[str, Any]] = {"type": "string"}
YES_NO: Final[Mapping[str, Any]] = {"type": "boolean"}


def to_one_line(text: str) -> str:
    """Return the text of a reply without line breaks and enclosing quotes."""
    return " ".join(text.split()).strip("\"' ")
