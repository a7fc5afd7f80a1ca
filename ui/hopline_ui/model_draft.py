"""The settings of the language model as they are edited on the page, and what is said about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hopline.config import Settings, hide_credentials, load_settings
from hopline.errors import SettingsError
from hopline.llm.client import LANGCHAIN
from hopline.llm.endpoint import OPENAI, get_host, is_loopback

REMOTE_EMBEDDER = "openai:"


@dataclass(frozen=True, slots=True)
class ModelDraft:
    """Values of the form, by the name of their setting; ``key`` is None where the stored one is kept."""

    values: Mapping[str, Any]
    key: str | None = None


def get_address(settings: Settings) -> str:
    """Return the address of the endpoint that the settings name, without credentials; "" if they name none."""
    known = settings.model or settings.openai_api_key.get_secret_value()
    return hide_credentials(settings.openai_base_url) or (OPENAI if known else "")


def keeps_key(settings: Settings, address: str) -> bool:
    """Return whether the stored key belongs to the host of an address: it is sent to no other one."""
    stored = settings.openai_base_url or OPENAI
    return bool(settings.openai_api_key.get_secret_value()) and get_host(stored) == get_host(address)


def build_values(draft: ModelDraft, settings: Settings, variables: Mapping[str, str]) -> dict[str, Any]:
    """Build the values to load and to store, without those that environment variables set.

    Raises:
        SettingsError: no model or endpoint, or an address or a model that the page does not store.
    """
    values = {name: value for name, value in draft.values.items() if name not in variables}
    model, address = values.get("model", settings.model), values.get("openai_base_url", "")
    if not model:
        raise SettingsError("Enter the name of a model, or list the models of the endpoint.")
    if model.startswith(LANGCHAIN):
        raise SettingsError("Models of LangChain run code of their module: set them by HOPLINE_MODEL.")
    if "openai_base_url" in values and not get_host(address):
        raise SettingsError("Enter the address of the endpoint.")
    if hide_credentials(address) != address:
        raise SettingsError("Enter the API key in its own field: the address may have no user name and password.")
    if "openai_api_key" not in variables:
        may_use = keeps_key(settings, get_target(values, settings))
        stored = settings.openai_api_key.get_secret_value() if may_use else ""
        values["openai_api_key"] = stored if draft.key is None else draft.key
    return values


def load_draft(home: Path, values: Mapping[str, Any]) -> Settings:
    """Load the settings as they would be if these values were stored.

    Raises:
        SettingsError: one of the values cannot be used.
    """
    return load_settings(home=home, **values)


def get_target(values: Mapping[str, Any], settings: Settings) -> str:
    """Return the address to which a draft sends text."""
    return str(values.get("openai_base_url") or settings.openai_base_url or OPENAI)


def select_changed(values: Mapping[str, Any]) -> dict[str, Any]:
    """Select the values that differ from the defaults: only they are stored."""
    defaults = {name: field.default for name, field in Settings.model_fields.items()}
    return {name: value for name, value in values.items() if value != defaults[name] and value != ""}


def describe_sent(address: str, settings: Settings) -> str:
    """Describe what is sent to an endpoint once the settings are stored."""
    host = f"{get_host(address)}, which is on this machine" if is_loopback(address) else get_host(address)
    text = f"Questions and the passages found for them are sent to {host}."
    if settings.extract_with_model:
        text += " So are the passages of new documents, because HOPLINE_EXTRACT_WITH_MODEL is set."
    return text


def describe_current(settings: Settings) -> str:
    """Describe the language model that answers now, and what is sent to it."""
    if not settings.model:
        return "No language model is set: answers are extracted from the documents, and no text is sent to a model."
    if settings.model.startswith(LANGCHAIN):
        return f"{settings.model} writes the answers. Questions and the passages found for them are passed to it."
    return f"{settings.model} writes the answers. {describe_sent(get_address(settings), settings)}"
