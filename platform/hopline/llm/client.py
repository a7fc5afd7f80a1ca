"""The port to language models: many prompts at once, remembered replies, checked structure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import BoundedSemaphore
from typing import Any

from hopline.config import Settings
from hopline.errors import ModelUnavailable
from hopline.flow.requests import Reply
from hopline.flow.services import Prompt
from hopline.llm.json_output import checked_schema, read_reply
from hopline.llm.provider import Said, Voice
from hopline.llm.reply_cache import Replies, reply_key
from hopline.surrogates import replace_surrogates, replace_surrogates_in

LANGCHAIN = "langchain:"
Reader = Callable[[Said], Reply]
Question = tuple[str, Prompt, Reader]  # with its key


def load_chat(settings: Settings) -> ChatPort | None:
    """The language model that the settings name, or None where they name none.

    ``<model>`` is asked at ``openai_base_url``; ``langchain:<module>:<name>`` is a langchain-core
    chat model, or a function without arguments that makes one.

    Raises:
        SettingsError: the langchain model cannot be imported.
    """
    if not settings.model:
        return None
    voice: Voice
    if settings.model.startswith(LANGCHAIN):
        from hopline.llm.langchain_provider import load_langchain

        voice = load_langchain(settings.model.removeprefix(LANGCHAIN), retries=settings.model_retries)
    else:
        from hopline.llm.endpoint import endpoint_of
        from hopline.llm.openai_provider import OpenAIVoice

        voice = OpenAIVoice(settings.model, endpoint_of(settings))
    return ChatPort(voice, Replies(settings.replies), parallel=settings.model_parallel)


class ChatPort:
    """One language model with its cache of replies; at most ``parallel`` prompts are out at once.

    Only replies that can be used are remembered, and each is on disk before it is handed on.
    """

    def __init__(self, voice: Voice, replies: Replies | None = None, *, parallel: int = 4) -> None:
        self._voice = voice
        self._replies = replies
        self._parallel = parallel
        self._slots = BoundedSemaphore(parallel)

    @property
    def name(self) -> str:
        """What the trace calls the model."""
        return self._voice.name

    def complete(self, prompts: Sequence[Prompt]) -> list[Reply]:
        """One reply a prompt, in order; a bad reply is a `Reply` whose ``error`` says why.

        A prompt that stands there twice is asked once. A reply that does not fit its schema is
        asked for once more, with what was wrong, unless its prompt allows no further call.

        Raises:
            ModelUnavailable: the endpoint cannot be reached, or will not talk to us (key, quota, no such
            model); names model and endpoint. Replies that came before are remembered.
            UsageError: a schema is no JSON schema.
        """
        readers = [_reader(prompt) for prompt in prompts]
        keys = [reply_key(self.name, prompt) for prompt in prompts]
        known = self._replies.read(keys) if self._replies else {}
        first = {key: n for n, key in reversed(list(enumerate(keys)))}
        missing = [n for n in sorted(first.values()) if keys[n] not in known]
        fresh = self._ask_all({n: (keys[n], prompts[n], readers[n]) for n in missing})
        replies = []
        for n, key in enumerate(keys):
            reply = readers[n](known[key]) if key in known else fresh[first[key]]
            cached = key in known or n != first[key]
            replies.append(replace(reply, cached=cached, calls=0 if cached else reply.calls))
        return replies

    def close(self) -> None:
        """Let go of connections and of the cache's file."""
        self._voice.close()
        if self._replies:
            self._replies.close()

    def _ask_all(self, asked: dict[int, Question]) -> dict[int, Reply]:
        if not asked:
            return {}
        gone: list[str] = []  # why the endpoint cannot be reached; once it says so nothing more is sent
        with ThreadPoolExecutor(min(self._parallel, len(asked)), thread_name_prefix="hopline-model") as pool:
            futures = {n: pool.submit(self._ask, *question, gone) for n, question in asked.items()}
            try:
                replies = {n: future.result() for n, future in futures.items()}
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        if gone:
            raise ModelUnavailable(gone[0])
        return replies

    def _ask(self, key: str, prompt: Prompt, reader: Reader, gone: list[str]) -> Reply:
        with self._slots:
            if gone:
                return Reply(error=gone[0], calls=0)
            said = _encodable(self._voice.say(prompt))
            if said.unreachable:
                gone.append(said.error)
            reply = reader(said)
            may_repair = prompt.extra_calls is None or said.calls <= prompt.extra_calls
            if said.text and not said.error and not reply.ok and may_repair:
                said, reply = self._repaired(prompt, reader, said, reply)
        if reply.ok and self._replies:
            self._replies.write(key, said)
        return reply

    def _repaired(self, prompt: Prompt, reader: Reader, said: Said, reply: Reply) -> tuple[Said, Reply]:
        """The reply to the same prompt with what was wrong; its tokens and calls count the first one's too."""
        complaint = f"{prompt.text}\n\nAn earlier reply could not be used: {reply.error}. Reply with the JSON only."
        left = None if prompt.extra_calls is None else prompt.extra_calls - said.calls
        second = _encodable(self._voice.say(replace(prompt, text=complaint, extra_calls=left)))
        tokens_in, tokens_out = said.tokens_in + second.tokens_in, said.tokens_out + second.tokens_out
        calls = said.calls + second.calls
        if second.error:
            return said, replace(reply, tokens_in=tokens_in, tokens_out=tokens_out, calls=calls)
        second = replace(second, tokens_in=tokens_in, tokens_out=tokens_out, calls=calls)
        return second, reader(second)


def _encodable(said: Said) -> Said:
    return replace(said, text=replace_surrogates(said.text), error=replace_surrogates(said.error))


def _reader(prompt: Prompt) -> Reader:
    """What turns a model's words into a reply to this prompt."""
    validator = checked_schema(prompt.schema) if prompt.schema is not None else None

    def read(said: Said) -> Reply:
        data: Any = None
        error = said.error
        if not error and validator is not None:
            data, error = read_reply(said.text, validator)
            data, error = replace_surrogates_in(data), replace_surrogates(error)  # JSON hides them behind escapes
        return Reply(said.text, data, error, said.tokens_in, said.tokens_out, calls=said.calls)

    return read
