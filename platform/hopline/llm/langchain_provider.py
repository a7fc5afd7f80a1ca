"""Any langchain-core chat model as a voice. Needs the extra ``hopline[langchain]``."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from hopline.errors import SettingsError
from hopline.flow.services import Prompt
from hopline.llm.json_output import instruction
from hopline.llm.provider import Pace, Said, persist
from hopline.llm.response_stream import FIXED_BYTES

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel


class LangChainVoice:
    """A langchain-core chat model. Temperature and length of its replies are its own settings.

    A schema goes into the system message, as chat models differ in how they take one.
    """

    def __init__(self, model: BaseChatModel, *, name: str = "", retries: int = 4, pace: Pace | None = None) -> None:
        self.name = name or getattr(model, "model_name", "") or getattr(model, "model", "") or type(model).__name__
        self._model = model
        self._retries = retries
        self._pace = pace or Pace()

    def say(self, prompt: Prompt) -> Said:
        """The reply after all retries; never raises for what the model does."""
        return persist(
            lambda: self._try(prompt), retries=self._retries, pace=self._pace, extra_calls=prompt.extra_calls
        )

    def close(self) -> None:
        """Nothing to let go of: the chat model belongs to who made it."""

    def _try(self, prompt: Prompt) -> Said:
        from langchain_core.messages import HumanMessage, SystemMessage

        system = prompt.system
        if prompt.schema is not None:
            system = f"{system}\n\n{instruction(prompt.schema)}".strip()
        text, tokens_in, tokens_out = "", 0, 0
        try:
            for piece in self._model.stream([*([SystemMessage(system)] if system else []), HumanMessage(prompt.text)]):
                text += piece.text
                usage = piece.usage_metadata or {"input_tokens": 0, "output_tokens": 0}
                tokens_in, tokens_out = tokens_in + usage["input_tokens"], tokens_out + usage["output_tokens"]
                if len(text) > FIXED_BYTES:
                    error = f"{self.name}: the reply is larger than {FIXED_BYTES:,} characters"
                    return Said(text[:200], error=error, calls=1)
        except Exception as error:  # noqa: BLE001 - every chat model has errors of its own
            says = f"{self.name} failed: {type(error).__name__}: {error}"
            return Said(error=says, again=True, unreachable=isinstance(error, ConnectionError))
        if not text.strip():
            return Said(error=f"{self.name}: the reply is empty", again=True, calls=1)
        asked = len(prompt.text) + len(system)
        return Said(text, tokens_in or -(-asked // 4), tokens_out or -(-len(text) // 4), calls=1)


def load_langchain(where: str, *, retries: int) -> LangChainVoice:
    """The chat model that ``module:name`` names, made by calling it where it is a function.

    Raises:
        SettingsError: it cannot be imported, or is no chat model.
    """
    module, _, attribute = where.partition(":")
    try:
        from langchain_core.language_models import BaseChatModel

        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        wanted = "langchain:<module>:<name of a chat model or of a function that makes one>"
        raise SettingsError(f"model 'langchain:{where}' cannot be imported ({error}); wanted {wanted}") from error
    model = found() if callable(found) and not isinstance(found, BaseChatModel) else found
    if not isinstance(model, BaseChatModel):
        raise SettingsError(f"model 'langchain:{where}' is a {type(model).__name__}, not a langchain-core chat model")
    return LangChainVoice(model, retries=retries)
