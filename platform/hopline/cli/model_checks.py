"""Checks of the language model in depth (`hopline doctor --model`): what works, and which setting to change."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import closing
from difflib import get_close_matches
from typing import Final

from hopline.cli.diagnostics import Check, check_model
from hopline.config import Settings
from hopline.errors import SettingsError
from hopline.flow.services import Prompt
from hopline.llm.client import LANGCHAIN
from hopline.llm.endpoint import Endpoint, endpoint_from_settings
from hopline.llm.json_output import build_validator, parse_reply
from hopline.llm.model_probe import EndpointDocument, ModelProbe, ProbeReply, read_context_length, read_entries
from hopline.llm.openai_provider import RequestFormat

SCHEMA: Final = {
    "type": "object",
    "properties": {"capital": {"type": "string"}, "population": {"type": "integer"}},
    "required": ["capital", "population"],
    "additionalProperties": False,
}
MAX_REPLY: Final = 100  # tokens of the reply to the long prompt
TEMPLATE_TOKENS: Final = 150  # of the instructions of the long prompt, and of the chat template
ANSWER_TOKENS: Final = 400  # of a long answer
SMALL_MODEL: Final = 7.0  # billion parameters
_SIZE: Final = re.compile(r"(?<![a-z0-9.])[a-z]?(\d+(?:\.\d+)?)b(?![a-z0-9])", re.IGNORECASE)
_SENTENCE: Final = "The old house by the river has a garden with apple trees, and a road leads to the town. "
_SENTENCE_TOKENS: Final = 21  # in practically every vocabulary


def check_model_in_depth(settings: Settings) -> Iterator[Check]:
    """Check the language model of the settings; stops at the first fault without which nothing else can be checked."""
    if not settings.model:
        yield check_model(settings)
    elif settings.model.startswith(LANGCHAIN):
        yield from _check_langchain(settings)
    else:
        try:
            endpoint = endpoint_from_settings(settings)
            endpoint.client()
        except SettingsError as error:
            yield Check("endpoint", "bad", f"{settings.model} has no endpoint", str(error))
            return
        with closing(endpoint):
            yield from _check_endpoint(settings, endpoint)


def _check_endpoint(settings: Settings, endpoint: Endpoint) -> Iterator[Check]:
    probe = ModelProbe(endpoint, settings.model)
    listing = probe.list_models()
    check = check_address(listing, endpoint, lambda: probe.list_models_of_version_1().status == 200)
    if check.state == "bad":
        yield check
        return
    entries = read_entries(listing.data)
    reply = probe.send(build_json_prompt())
    failure = check_first_reply(reply, endpoint, listed=bool(entries))
    yield failure or check
    if failure and reply.status not in {400, 404, 422}:
        return
    yield check_name(settings.model, list(entries), works=failure is None)
    if failure:
        return
    yield check_json(reply)
    stated = read_context_length(entries.get(settings.model, {}), probe)
    yield from _check_long_prompt(settings, probe.send, stated)
    yield check_size(settings.model)


def _check_langchain(settings: Settings) -> Iterator[Check]:
    from hopline.llm.langchain_provider import load_langchain

    try:
        provider = load_langchain(settings.model.removeprefix(LANGCHAIN), retries=0)
    except SettingsError as error:
        yield Check("endpoint", "bad", f"{settings.model} cannot be loaded", str(error))
        return

    def send(prompt: Prompt) -> ProbeReply:
        completion = provider.complete(prompt)
        return ProbeReply(completion.text, format=RequestFormat(schema_mode="text"), error=completion.error)

    reply = send(build_json_prompt())
    if reply.error and not reply.text:
        yield Check("endpoint", "bad", reply.error, "check the settings of the chat model")
        return
    yield Check("endpoint", "good", f"{settings.model} replies; address, key and speed cannot be checked")
    yield check_json(reply)
    yield from _check_long_prompt(settings, send, None)
    yield check_size(provider.name)


def check_address(listing: EndpointDocument, endpoint: Endpoint, has_version_1: Callable[[], bool]) -> Check:
    """Check the address and key by the list of models; an endpoint without a list is good until it is called.

    ``has_version_1`` requests the list at the path ``/v1``.
    """
    if not listing.error:
        return Check("endpoint", "good", f"{endpoint.address} answers and lists its models")
    if listing.status in {401, 403}:
        return _reject_key(endpoint, listing.error)
    if listing.status == 0:
        advice = "check that the model's server runs, and its address OPENAI_BASE_URL"
        if listing.error.startswith("no reply"):
            advice += "; or raise HOPLINE_MODEL_TIMEOUT"
        return Check("endpoint", "bad", f"{endpoint.address}: {listing.error}", advice)
    if has_version_1():
        advice = f"set OPENAI_BASE_URL to {endpoint.address.rstrip('/')}/v1"
        return Check("endpoint", "bad", f"{listing.error}: the path /v1 is missing", advice)
    return Check("endpoint", "good", f"{endpoint.address} answers; it does not list its models")


def check_first_reply(reply: ProbeReply, endpoint: Endpoint, *, listed: bool) -> Check | None:
    """Check that the model replied at all; None if it did. ``listed``: the endpoint lists its models."""
    if not reply.error:
        return None
    if reply.status in {401, 403}:
        return _reject_key(endpoint, reply.error)
    path = "" if listed else ", and the path of OPENAI_BASE_URL (often /v1)"
    advice = f"check the log of the endpoint{path}"
    if reply.status == 404:
        advice = f"check HOPLINE_MODEL{path}"
    elif reply.status == 429:
        advice = "wait for the rate limit, or check the quota of the account"
    elif reply.seconds >= endpoint.timeout:
        advice = f"raise HOPLINE_MODEL_TIMEOUT ({endpoint.timeout:g} s), or use a faster model"
    return Check("endpoint", "bad", reply.error, advice)


def _reject_key(endpoint: Endpoint, error: str) -> Check:
    problem = "OPENAI_API_KEY is not accepted" if endpoint.key else "OPENAI_API_KEY is not set"
    return Check("endpoint", "bad", f"{error}: {problem}", "set OPENAI_API_KEY to a key of this endpoint")


def check_name(model: str, names: list[str], *, works: bool) -> Check:
    """Check that the endpoint lists the model; if not, the advice has the closest names."""
    if not names:
        return Check("model name", "good" if works else "note", f"{model}; the endpoint does not list its models")
    if model in names or (works and f"{model}:latest" in names):
        return Check("model name", "good", model)
    parts = [name for name in names if model.lower() in name.lower() or name.lower() in model.lower()]
    close = list(dict.fromkeys([*get_close_matches(model, names, cutoff=0.4), *parts, *names]))[:3]
    advice = f"set HOPLINE_MODEL to one of its {len(names)} models, such as {' or '.join(close)}"
    if works:
        return Check("model name", "note", f"the endpoint does not list {model}, but replies", advice)
    return Check("model name", "bad", f"the endpoint has no model {model}", advice)


def build_json_prompt() -> Prompt:
    """Build a prompt whose reply has a small schema."""
    return Prompt("Name the capital of France and its population.", schema=SCHEMA, max_tokens=300)


def check_json(reply: ProbeReply) -> Check:
    """Check which form of JSON the endpoint accepts, and that the reply can be read."""
    modes = {
        "json_schema": "accepts a JSON schema",
        "json_object": "accepts JSON mode, but no JSON schema",
        "text": "accepts no JSON mode: the schema is put into the prompt",
    }
    mode = modes[reply.format.schema_mode]
    value, problem = parse_reply(reply.text, build_validator(SCHEMA))
    if value is None:
        advice = "answers and extraction will often fail; use another model, or switch off its reasoning"
        return Check("JSON", "bad", f"{mode}; {problem}: {reply.text[:60]!r}", advice)
    return Check("JSON", "note" if reply.format.schema_mode == "text" else "good", f"{mode}; the reply can be read")


def _check_long_prompt(settings: Settings, send: Callable[[Prompt], ProbeReply], stated: int | None) -> Iterator[Check]:
    context = settings.model_context
    code = str(1000 + secrets.randbelow(9000))
    tokens = max(100, min(context, stated or context) - MAX_REPLY - TEMPLATE_TOKENS)
    reply = send(build_long_prompt(code, tokens))
    yield check_context(reply, code, tokens=tokens, context=context, stated=stated, timeout=settings.model_timeout)
    if reply.seconds and not reply.error:
        yield check_speed(reply, settings.model_timeout)


def build_long_prompt(code: str, tokens: int) -> Prompt:
    """Build a prompt of about this length, with a code at its beginning that is asked for at its end."""
    text = _SENTENCE * (tokens // _SENTENCE_TOKENS)
    question = "Which code was given at the beginning? Reply with the code, and then count from 1 to 20."
    return Prompt(f"The secret code is {code}.\n\n{text}\n\n{question}", max_tokens=MAX_REPLY)


def check_context(
    reply: ProbeReply, code: str, *, tokens: int, context: int, stated: int | None, timeout: float
) -> Check:
    """Check that the model has read a prompt of about ``tokens`` tokens from its beginning on.

    Many servers cut the beginning of a long prompt without an error.
    """
    lower = "or lower HOPLINE_MODEL_CONTEXT"
    longer = f"give the model a longer context (llama.cpp: --ctx-size; Ollama: OLLAMA_CONTEXT_LENGTH), {lower}"
    if reply.error:
        slow = f"raise HOPLINE_MODEL_TIMEOUT, use a faster model, {lower}"
        advice = slow if reply.seconds >= timeout else longer
        return Check("context", "bad", f"no reply to a prompt of about {tokens:,} tokens: {reply.error}", advice)
    if stated is not None and stated < context:
        result = f"the endpoint states {stated:,} tokens, and HOPLINE_MODEL_CONTEXT is {context:,}"
        return Check(
            "context", "bad", result, f"set HOPLINE_MODEL_CONTEXT={stated}, or give the model a longer context"
        )
    states = f"; the endpoint states {stated:,}" if stated is not None else ""
    if code in reply.text.replace(",", ""):
        return Check("context", "good", f"the beginning of a prompt of about {tokens:,} tokens is read{states}")
    result = f"the beginning of a prompt of about {tokens:,} tokens is not in the reply{states}"
    if reply.tokens_in is None or reply.tokens_in < 0.8 * tokens:
        counted = "it was probably cut" if reply.tokens_in is None else f"it was cut to {reply.tokens_in:,} tokens"
        return Check("context", "bad", f"{result}: {counted}", longer)
    return Check("context", "note", f"{result}, though all of it was read", f"use a larger model, {lower}")


def check_speed(reply: ProbeReply, timeout: float) -> Check:
    """Check that a long answer to the long prompt would arrive within the time-out."""
    result = f"first token after {reply.first_token:.1f} s"
    if reply.tokens_in:
        result += f", {reply.tokens_in / max(reply.first_token, 0.001):,.0f} tokens/s of prompt"
    writing, answer = reply.seconds - reply.first_token, reply.first_token
    if reply.tokens_out and reply.tokens_out > 1 and writing > 0:
        speed = (reply.tokens_out - 1) / writing
        result, answer = f"{result}, {speed:,.0f} tokens/s of reply", answer + ANSWER_TOKENS / speed
    result += f"; a long answer takes about {answer:.0f} s"
    if answer > timeout:
        advice = f"raise HOPLINE_MODEL_TIMEOUT ({timeout:g} s) to {1.5 * answer:.0f}, or lower HOPLINE_MODEL_CONTEXT"
        return Check("speed", "note", result, advice)
    return Check("speed", "good", result)


def check_size(model: str) -> Check:
    """Check by its name whether the model is a small one, whose answers need strict verification."""
    sizes = [float(size) for size in _SIZE.findall(model)]
    if not sizes:
        return Check("size", "good", "the name of the model has no size")
    result = f"{max(sizes):g} billion parameters, by its name"
    if max(sizes) < SMALL_MODEL:
        return Check("size", "note", result, "HOPLINE_VERIFY=strict is advised for models below 7 billion parameters")
    return Check("size", "good", result)
