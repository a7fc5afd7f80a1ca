"""A check of a language model by one short call, and the list of the models of its endpoint, in plain words."""

from __future__ import annotations

import socket
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from hopline.config import Settings
from hopline.errors import HoplineError, ModelUnavailable, UsageError
from hopline.flow.budget import Budget
from hopline.flow.requests import Flow, Hits, Reply, Vectors, ask
from hopline.flow.run import run
from hopline.flow.services import Columns, Embedder, Graph, Price, Prompt, Scope, Services
from hopline.llm.client import LANGCHAIN, LlmClient, load_provider
from hopline.llm.endpoint import Endpoint, endpoint_from_settings, get_host
from hopline.llm.model_probe import EndpointDocument, ModelProbe, read_entries
from hopline.llm.provider import Completion, Provider
from hopline.results import Trace
from hopline.results.trace import EMPTY_TRACE

QUESTION: Final = "Name the capital of France."
SLOW_SECONDS: Final = 15.0  # for a reply of one word; a reply to a question takes several times as long
MAX_CALLS: Final = 2  # the reply, and another one if it cannot be read
MAX_RETRIES: Final = 1  # the user waits for the result
MAX_TOKENS: Final = 1000  # of the reply: models that reason first need them
MAX_NAMES: Final = 3  # models of the endpoint that a message names
_SCHEMA: Final = {
    "type": "object",
    "properties": {"capital": {"type": "string"}},
    "required": ["capital"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class ConnectionCheck:
    """The result of one short call to a model: what happened, what to do, how long it took, and its trace.

    ``note``: the model works, but not well.
    """

    state: Literal["good", "note", "bad"]
    message: str
    advice: str = ""
    seconds: float = 0.0
    trace: Trace = EMPTY_TRACE


def check_connection(settings: Settings) -> ConnectionCheck:
    """Send a short question without text of documents to the language model of the settings; replies are not cached."""
    if not settings.model:
        return ConnectionCheck("bad", "No model is chosen.", "Enter the name of a model, or list the models.")
    limited = settings.model_copy(update={"model_retries": min(MAX_RETRIES, settings.model_retries)})
    try:
        provider = _RecordingProvider(load_provider(limited))
    except UsageError as error:
        return ConnectionCheck("bad", _to_sentence(str(error)))
    started = time.monotonic()
    with closing(LlmClient(provider)) as llm:
        services = Services(_NoGraph(), _NoEmbedder(), llm, Price(settings.price_in, settings.price_out))
        try:
            outcome = run(_ask_question(), services, Scope(""), budget=Budget(calls=MAX_CALLS))
        except ModelUnavailable as error:
            return _describe_failure(settings, provider.last, str(error))
        except HoplineError as error:
            return ConnectionCheck("bad", _to_sentence(str(error)))
    seconds = time.monotonic() - started
    return _describe_reply(settings, outcome.result, provider.last, seconds, outcome.trace)


def list_models(settings: Settings) -> list[str]:
    """List the names of the models of the endpoint that the settings name; empty if it does not list them.

    Raises:
        SettingsError: the settings name no endpoint.
        ModelUnavailable: the endpoint cannot be reached, or refuses the request; says why.
    """
    with closing(endpoint_from_settings(settings)) as endpoint:
        listing = ModelProbe(endpoint, settings.model).list_models()
        if listing.status in {401, 403}:
            raise ModelUnavailable(" ".join(_describe_key(endpoint)))
        if listing.error and not listing.status:
            message, advice = _describe_outage(endpoint.base_url, listing.error)
            raise ModelUnavailable(f"{message} {advice}")
        return sorted(read_entries(listing.data))


def _ask_question() -> Flow[Reply]:
    replies: Sequence[Reply] = yield ask([QUESTION], schema=_SCHEMA, max_tokens=MAX_TOKENS)
    return replies[0]


def _describe_reply(
    settings: Settings, reply: Reply, completion: Completion, seconds: float, trace: Trace
) -> ConnectionCheck:
    name = _get_name(settings)
    if reply.ok:
        duration = f"It answered in {seconds:.1f} s." if seconds < 60 else f"It answered in {seconds:.0f} s."
        if seconds < SLOW_SECONDS:
            return ConnectionCheck("good", f"{name} works. {duration}", "", seconds, trace)
        advice = "Answers will take minutes. Use a smaller model or a faster machine, or raise the time limit."
        return ConnectionCheck("note", f"{name} works, but is slow. {duration}", advice, seconds, trace)
    if reply.text and not completion.timed_out and (not completion.error or completion.truncated):
        advice = "Answers will often fail. Use another model, or switch off its reasoning."
        return ConnectionCheck("note", f"{name} replies, but not with valid JSON.", advice, seconds, trace)
    failure = _describe_failure(settings, completion, reply.error)
    return ConnectionCheck(failure.state, failure.message, failure.advice, seconds, trace)


def _describe_failure(settings: Settings, completion: Completion, error: str) -> ConnectionCheck:
    """Describe why a model did not reply, and what to do."""
    if settings.model.startswith(LANGCHAIN):
        return ConnectionCheck("bad", _to_sentence(error), "Check the settings of the chat model.")
    with closing(endpoint_from_settings(settings)) as endpoint:
        host = get_host(endpoint.base_url)
        if completion.timed_out:
            message = f"{host} did not answer within {settings.model_timeout:g} seconds."
            advice = "Try again, as many servers load a model at its first call; or raise the time limit."
        elif completion.unreachable and not completion.status:
            message, advice = _describe_outage(endpoint.base_url, error)
        elif completion.status in {401, 403}:
            message, advice = _describe_key(endpoint)
        elif completion.status == 404:
            message, advice = _describe_unknown(settings.model, endpoint)
        elif completion.status == 429 or completion.unreachable:
            message, advice = f"{host} refuses more calls.", "Wait, or check the limits and the credit of the account."
        else:
            message, advice = _to_sentence(error), "Look for the cause in the log of the server."
    return ConnectionCheck("bad", message, advice)


def _describe_outage(address: str, error: str) -> tuple[str, str]:
    """Describe why no connection could be made; whether the host is known is looked up only then."""
    host, name = get_host(address), urlsplit(address).hostname or ""
    if error.startswith("no reply"):
        return f"{host}: {error}.", "Check that the server of the model runs."
    try:
        socket.getaddrinfo(name, None)
    except (OSError, UnicodeError):
        return f"The host {name} is unknown.", "Check the spelling of the address, and the network of this machine."
    if "refused" in error.lower():
        return f"{host} refused the connection.", "Check that the server of the model runs, and its port."
    cause = error.partition("cannot be reached: ")[2] or error
    return f"{host} cannot be reached: {cause.rstrip('.')}.", "Check the address and the network of this machine."


def _describe_key(endpoint: Endpoint) -> tuple[str, str]:
    host = get_host(endpoint.base_url)
    if endpoint.key:
        return f"{host} does not accept the API key.", "Replace it by a valid key of this endpoint."
    return f"{host} needs an API key.", "Enter a key of this endpoint."


def _describe_unknown(model: str, endpoint: Endpoint) -> tuple[str, str]:
    """Describe a response 404: the endpoint has no such model, or the path of its address is wrong."""
    probe, host = ModelProbe(endpoint, model), get_host(endpoint.base_url)
    names = list(read_entries(probe.list_models().data))
    if names and model not in names:
        close = list(dict.fromkeys([*get_close_matches(model, names, cutoff=0.4), *names]))[:MAX_NAMES]
        return f"{host} has no model called {model}.", f"It has {len(names)}, such as {' or '.join(close)}."
    if not names and _has_models(probe.list_models_of_version_1()):
        return f"{host} answers, but not at this address.", f"Use {endpoint.address.rstrip('/')}/v1."
    return f"{host} has no model called {model}, or the path of the address is wrong.", "Check both."


def _has_models(listing: EndpointDocument) -> bool:
    return bool(read_entries(listing.data))


def _get_name(settings: Settings) -> str:
    if settings.model.startswith(LANGCHAIN):
        return settings.model
    with closing(endpoint_from_settings(settings)) as endpoint:
        return f"{settings.model} at {get_host(endpoint.base_url)}"


def _to_sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


class _RecordingProvider(Provider):
    """A provider that stores its last completion, which has the cause of a failure."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider
        self.last = Completion()

    @property
    def name(self) -> str:
        return self._provider.name

    @property
    def endpoint(self) -> str:
        return self._provider.endpoint

    def complete(self, prompt: Prompt) -> Completion:
        self.last = self._provider.complete(prompt)
        return self.last

    def close(self) -> None:
        self._provider.close()


class _NoGraph(Graph):
    """A graph without nodes: the check searches nothing."""

    def search(self, *_: Any, **__: Any) -> Hits:
        raise UsageError("the check of a model searches nothing")

    def fetch(self, *_: Any, **__: Any) -> Columns:
        raise UsageError("the check of a model fetches nothing")


class _NoEmbedder(Embedder):
    """An embedder without a model: the check embeds nothing."""

    name = "none"
    dimension = 0

    def embed(self, *_: Any, **__: Any) -> Vectors:
        raise UsageError("the check of a model embeds nothing")
