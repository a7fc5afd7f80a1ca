"""Client of a language model: parallel prompts, a reply cache, replies validated against JSON schemas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import BoundedSemaphore
from typing import Any

from hopline.config import Settings
from hopline.errors import ModelUnavailable
from hopline.flow.requests import Reply, report_text
from hopline.flow.services import Prompt
from hopline.llm.json_output import build_validator, parse_reply
from hopline.llm.provider import Completion, Provider
from hopline.llm.reply_cache import ReplyCache, compute_reply_key
from hopline.text_encoding import clean_text, clean_texts_in

LANGCHAIN = "langchain:"
ReplyParser = Callable[[Completion], Reply]
PendingPrompt = tuple[str, Prompt, ReplyParser]  # its cache key first


def load_llm(settings: Settings) -> LlmClient | None:
    """Load the language model that the settings name; None if they name none.

    Raises:
        SettingsError: the langchain model cannot be imported.
    """
    if not settings.model:
        return None
    return LlmClient(load_provider(settings), ReplyCache(settings.replies), parallel=settings.model_parallel)


def load_provider(settings: Settings) -> Provider:
    """Load the provider of the language model that the settings name.

    ``<model>`` is a model at ``openai_base_url``; ``langchain:<module>:<name>`` is a langchain-core
    chat model, or a function without arguments that returns one.

    Raises:
        SettingsError: the langchain model cannot be imported, or the model has no endpoint.
    """
    if settings.model.startswith(LANGCHAIN):
        from hopline.llm.langchain_provider import load_langchain

        return load_langchain(settings.model.removeprefix(LANGCHAIN), retries=settings.model_retries)
    from hopline.llm.endpoint import endpoint_from_settings
    from hopline.llm.openai_provider import OpenAIProvider

    return OpenAIProvider(settings.model, endpoint_from_settings(settings))


class LlmClient:
    """A language model with a cache of its replies; at most ``parallel`` prompts are sent at the same time.

    Only valid replies that are not truncated are cached, and each is on disk before it is returned. Without
    ``read_cache`` none is used. A single prompt is sent on the calling thread, so that its ``on_text`` is called there.
    """

    def __init__(
        self, provider: Provider, replies: ReplyCache | None = None, *, parallel: int = 4, read_cache: bool = True
    ) -> None:
        self._provider = provider
        self._replies = replies
        self._parallel = parallel
        self._slots = BoundedSemaphore(parallel)
        self._read_cache = read_cache

    @property
    def name(self) -> str:
        """The name of the model in traces."""
        return self._provider.name

    def complete(self, prompts: Sequence[Prompt]) -> list[Reply]:
        """Return one reply for each prompt, in order; a failure is a `Reply` whose ``error`` says why.

        Equal prompts are sent once. A prompt whose reply does not fit its schema is sent once more,
        with the validation error, unless the prompt allows no further call.

        Raises:
            ModelUnavailable: the endpoint cannot be reached, or refuses every prompt (key, quota, no such
            model); names model and endpoint. Replies received before that are cached.
            UsageError: a schema is not a valid JSON schema.
        """
        parsers = [_build_parser(prompt) for prompt in prompts]
        keys = [compute_reply_key(self.name, self._provider.endpoint, prompt) for prompt in prompts]
        cached_replies = self._replies.read(keys) if self._replies and self._read_cache else {}
        first = {key: n for n, key in reversed(list(enumerate(keys)))}
        missing = [n for n in sorted(first.values()) if keys[n] not in cached_replies]
        new_replies = self._complete_all({n: (keys[n], prompts[n], parsers[n]) for n in missing})
        replies = []
        for n, key in enumerate(keys):
            reply = parsers[n](cached_replies[key]) if key in cached_replies else new_replies[first[key]]
            is_cached = key in cached_replies or n != first[key]
            if is_cached:
                report_text(prompts[n].on_text, reply.text)
            replies.append(replace(reply, cached=is_cached, calls=0 if is_cached else reply.calls))
        return replies

    def create_uncached(self) -> LlmClient:
        """Return a client with the same connections that uses no cached reply; new replies are cached."""
        return LlmClient(self._provider, self._replies, parallel=self._parallel, read_cache=False)

    def close(self) -> None:
        """Close the connections and the file of the cache."""
        self._provider.close()
        if self._replies:
            self._replies.close()

    def _complete_all(self, pending: dict[int, PendingPrompt]) -> dict[int, Reply]:
        if not pending:
            return {}
        outages: list[str] = []  # why the endpoint is unreachable; after the first entry nothing more is sent
        if len(pending) == 1:
            replies = {n: self._complete(*entry, outages) for n, entry in pending.items()}
        else:
            replies = self._complete_in_threads(pending, outages)
        if outages:
            raise ModelUnavailable(outages[0], calls=sum(reply.calls for reply in replies.values()))
        return replies

    def _complete_in_threads(self, pending: dict[int, PendingPrompt], outages: list[str]) -> dict[int, Reply]:
        with ThreadPoolExecutor(min(self._parallel, len(pending)), thread_name_prefix="hopline-model") as pool:
            futures = {n: pool.submit(self._complete, *entry, outages) for n, entry in pending.items()}
            try:
                return {n: future.result() for n, future in futures.items()}
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _complete(self, key: str, prompt: Prompt, parser: ReplyParser, outages: list[str]) -> Reply:
        with self._slots:
            if outages:
                return Reply(error=outages[0], calls=0)
            completion = _clean_texts(self._provider.complete(prompt))
            if completion.unreachable:
                outages.append(completion.error)
            reply = parser(completion)
            may_repair = prompt.extra_calls is None or completion.calls <= prompt.extra_calls
            if completion.text and not completion.error and not reply.ok and may_repair:
                completion, reply = self._repair(prompt, parser, completion, reply)
        if reply.ok and not reply.truncated and self._replies:
            self._replies.write(key, completion)
        return reply

    def _repair(
        self, prompt: Prompt, parser: ReplyParser, completion: Completion, reply: Reply
    ) -> tuple[Completion, Reply]:
        """Send the prompt again with the validation error; tokens and calls are the sums of both attempts."""
        report_text(prompt.on_text, "")
        retry_text = f"{prompt.text}\n\nAn earlier reply could not be used: {reply.error}. Reply with the JSON only."
        extra_calls_left = None if prompt.extra_calls is None else prompt.extra_calls - completion.calls
        second = _clean_texts(self._provider.complete(replace(prompt, text=retry_text, extra_calls=extra_calls_left)))
        tokens_in, tokens_out = completion.tokens_in + second.tokens_in, completion.tokens_out + second.tokens_out
        calls = completion.calls + second.calls
        if second.error and not second.truncated:
            return completion, replace(reply, tokens_in=tokens_in, tokens_out=tokens_out, calls=calls)
        second = replace(second, tokens_in=tokens_in, tokens_out=tokens_out, calls=calls)
        return second, parser(second)


def _clean_texts(completion: Completion) -> Completion:
    return replace(completion, text=clean_text(completion.text), error=clean_text(completion.error))


def _build_parser(prompt: Prompt) -> ReplyParser:
    """Return a function that parses and validates a completion of this prompt."""
    validator = build_validator(prompt.schema) if prompt.schema is not None else None

    def parse(completion: Completion) -> Reply:
        data: Any = None
        error = completion.error
        if validator is not None and (completion.truncated or not error):
            data, problem = parse_reply(completion.text, validator, truncated=completion.truncated)
            # escapes in JSON may decode to surrogates and control characters
            data, problem = clean_texts_in(data), clean_text(problem)
            error = problem and (error or problem)
        return Reply(
            completion.text,
            data,
            error,
            completion.tokens_in,
            completion.tokens_out,
            calls=completion.calls,
            truncated=completion.truncated,
        )

    return parse
