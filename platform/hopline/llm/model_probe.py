"""Requests to an endpoint that tell what it offers and how fast it is: each is sent once, and timed."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

from hopline.config import hide_credentials
from hopline.flow.services import Prompt
from hopline.llm.endpoint import CONNECT_SECONDS, Endpoint, completion_from_error
from hopline.llm.openai_provider import BROKEN, REFUSED, RequestFormat, build_request, simplify_format
from hopline.llm.response_stream import read_response

MAX_BODY: Final = 2_000_000  # bytes of a list of models
_VERSION: Final = re.compile(r"/v\d+/?$")  # of the API, at the end of a base URL
_CONTENT: Final = re.compile(rb'"(?:content|reasoning|reasoning_content)"\s*:\s*"[^"]')


@dataclass(frozen=True, slots=True)
class ProbeReply:
    """A reply with its times in seconds, or the error and its HTTP status (0: no response)."""

    text: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    first_token: float = 0.0  # from the request to the first piece of the reply
    seconds: float = 0.0
    format: RequestFormat = field(default_factory=RequestFormat)
    error: str = ""
    status: int = 0


@dataclass(frozen=True, slots=True)
class EndpointDocument:
    """A JSON object that an endpoint returned; ``error`` says why there is none, with the HTTP status if any."""

    data: Mapping[str, Any]
    status: int = 0
    error: str = ""


class ModelProbe:
    """Sends prompts to one model, and reads what its endpoint says about it. Nothing is retried."""

    def __init__(self, endpoint: Endpoint, model: str) -> None:
        self._endpoint = endpoint
        self._model = model
        self._format = RequestFormat()

    def send(self, prompt: Prompt) -> ProbeReply:
        """Send a prompt, in a simpler format after each rejection; the first format that is accepted is retained."""
        while True:
            reply, simpler = self._send(prompt)
            if simpler is None:
                return reply
            self._format = simpler

    def _send(self, prompt: Prompt) -> tuple[ProbeReply, RequestFormat | None]:
        """Send a prompt once; returns the reply, and the format to try next after a rejection."""
        from openai import APIError, APIStatusError

        clock = _Clock()
        call = self._endpoint.client().chat.completions.with_streaming_response
        try:
            with call.create(**build_request(self._model, prompt, self._format)) as response:
                blocks = clock.watch(response.iter_bytes())
                read = read_response(
                    blocks,
                    max_tokens=prompt.max_tokens,
                    timeout=self._endpoint.timeout,
                    has_schema=prompt.schema is not None,
                )
        except APIError as error:
            failure = completion_from_error(
                error, address=self._endpoint.address, model=self._model, timeout=self._endpoint.timeout
            )
            status = failure.status or getattr(error, "status_code", 0)
            message = str(error.body or error) if isinstance(error, APIStatusError) else ""
            has_schema = prompt.schema is not None
            refused = next(iter(REFUSED)) if status in BROKEN and has_schema else status
            simpler = simplify_format(self._format, refused, message, schema=has_schema)
            return ProbeReply(error=failure.error, status=status, seconds=clock.seconds, format=self._format), simpler
        return ProbeReply(
            read.text,
            read.tokens_in,
            read.tokens_out,
            clock.first_token or clock.seconds,
            clock.seconds,
            self._format,
            "" if read.truncated else read.error,
        ), None

    def list_models(self) -> EndpointDocument:
        """Fetch the list of models."""
        return self._fetch("models", self._endpoint.base_url)

    def list_models_of_version_1(self) -> EndpointDocument:
        """Fetch the list of models at the path ``/v1``, if the base URL lacks it."""
        if _VERSION.search(urlsplit(self._endpoint.base_url).path):
            return EndpointDocument({}, error="the address has a version")
        return self._fetch("v1/models", self._endpoint.base_url)

    def read_properties(self) -> EndpointDocument:
        """Fetch the properties of a llama.cpp server."""
        return self._fetch("props", self._root)

    def read_ollama_model(self) -> EndpointDocument:
        """Fetch the description of the model from an Ollama server."""
        return self._fetch("api/show", self._root, body={"model": self._model})

    @property
    def _root(self) -> str:
        parts = urlsplit(self._endpoint.base_url)
        return urlunsplit(parts._replace(path=_VERSION.sub("", parts.path)))

    def _fetch(self, path: str, base: str, body: Mapping[str, Any] | None = None) -> EndpointDocument:
        import requests

        address = f"{base.rstrip('/')}/{path}"
        headers = {"Authorization": f"Bearer {self._endpoint.key}"} if self._endpoint.key else {}
        timeout = (min(self._endpoint.timeout, CONNECT_SECONDS), self._endpoint.timeout)
        method = "GET" if body is None else "POST"
        try:
            with requests.request(
                method, address, json=body, headers=headers, timeout=timeout, stream=True
            ) as response:
                content = response.raw.read(MAX_BODY, decode_content=True)
                return _parse_document(response.status_code, content, hide_credentials(address))
        except requests.Timeout:
            return EndpointDocument({}, error=f"no reply within {self._endpoint.timeout:g} s")
        except (requests.RequestException, OSError) as error:
            return EndpointDocument({}, error=f"cannot be reached: {_describe_cause(error)}")


def read_entries(listing: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the entries of a list of models by their names."""
    data = listing.get("data")
    entries = [entry for entry in data if isinstance(entry, dict)] if isinstance(data, list) else []
    return {str(entry["id"]): entry for entry in entries if entry.get("id")}


def read_context_length(entry: Mapping[str, Any], probe: ModelProbe) -> int | None:
    """Return the context length in tokens that the endpoint states for a model of its list, None if it does not.

    llama.cpp and Ollama are asked for it. Where they only know the length that the model was trained for, it is that.
    """
    meta = entry.get("meta")
    described = meta if isinstance(meta, dict) else {}
    stated = [entry.get("context_length"), entry.get("max_model_len"), described.get("n_ctx")]
    if not any(map(_is_length, stated)) and (described or entry.get("owned_by") == "llamacpp"):
        generation = probe.read_properties().data.get("default_generation_settings")
        stated += [generation.get("n_ctx") if isinstance(generation, dict) else None, described.get("n_ctx_train")]
    elif not any(map(_is_length, stated)) and entry.get("owned_by") == "library":  # as Ollama says
        stated += _read_ollama_lengths(probe.read_ollama_model().data)
    return next(filter(_is_length, stated), None)


def _read_ollama_lengths(shown: Mapping[str, Any]) -> list[Any]:
    """Return the context length that an Ollama model is configured with, and that it was trained for."""
    configured = re.search(r"^num_ctx\s+(\d+)", str(shown.get("parameters", "")), re.MULTILINE)
    info = shown.get("model_info")
    trained = (
        [value for name, value in info.items() if name.endswith(".context_length")] if isinstance(info, dict) else []
    )
    return [int(configured[1]) if configured else None, *trained]


def _is_length(value: Any) -> bool:
    return isinstance(value, int) and value > 0


class _Clock:
    """Measures the time to the first token, and to now."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self.first_token = 0.0

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._start

    def watch(self, blocks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the blocks of a response, and note when the first one with a piece of the reply arrives."""
        for block in blocks:
            if not self.first_token and _CONTENT.search(block):
                self.first_token = self.seconds
            yield block


def _parse_document(status: int, content: bytes, address: str) -> EndpointDocument:
    if status != 200:
        return EndpointDocument({}, status, f"{address} answered HTTP {status}")
    try:
        data = json.loads(content)
    except ValueError:
        data = None
    if not isinstance(data, dict):
        return EndpointDocument({}, status, f"{address} sent no JSON object")
    return EndpointDocument(data, status)


def _describe_cause(error: BaseException) -> str:
    """Return the innermost cause of an error, which is the one of the operating system."""
    while (inner := error.__cause__ or error.__context__) is not None:
        error = inner
    return str(error)
