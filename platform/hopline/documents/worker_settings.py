"""Settings of the running worker as its lease records them, and how those of a client differ from them.

The record has no secrets: the API key, and an address with a password, are stored as a salted hash.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Self

from hopline.config import Settings, hide_credentials

RESULT_SETTINGS: Final = ("embedder", "max_pages", "max_file_mb")  # they change what the worker writes
RESOURCE_SETTINGS: Final = ("workers", "parse_memory_mb", "worker_idle_seconds")
ENDPOINT_SETTINGS: Final = ("openai_base_url",)  # of the language model, and of a remote embedder
MODEL_SETTINGS: Final = ("model",)
CALL_SETTINGS: Final = ("model_timeout", "model_retries", "model_parallel")
_ITERATIONS: Final = 100_000  # of the hash; about 30 ms


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """The settings that a worker was started with; ``stays``: it does not exit when idle."""

    values: dict[str, Any] = field(default_factory=dict)
    salt: str = ""
    credentials: str = ""
    stays: bool = False

    @classmethod
    def from_settings(cls, settings: Settings, *, stays: bool = False) -> Self:
        """Build the record of a worker with these settings."""
        names = RESULT_SETTINGS + RESOURCE_SETTINGS + ENDPOINT_SETTINGS + MODEL_SETTINGS + CALL_SETTINGS
        salt = secrets.token_hex(8)
        values = {name: _get_value(settings, name) for name in names}
        return cls(values, salt, _hash_credentials(settings, salt), stays)

    @classmethod
    def from_json(cls, text: str) -> Self | None:
        """Parse the record of a lease; None if the holder wrote none."""
        return cls(**json.loads(text)) if text else None

    def to_json(self) -> str:
        """Return the record as the text that `from_json` parses."""
        return json.dumps(asdict(self))

    @property
    def model(self) -> str:
        """The language model of the worker, "" for none."""
        return str(self.values.get("model", ""))


@dataclass(frozen=True, slots=True)
class SettingDifference:
    """A setting whose value differs; the values are as shown to users, "" where they are secret."""

    variable: str
    worker: str = ""
    client: str = ""


def find_differences(settings: Settings, worker: WorkerSettings, *, resources: bool) -> list[SettingDifference]:
    """Find the settings of a client that a worker was started without.

    A client without a language model does not compare its settings: it never takes the model away from a worker.
    ``resources``: compare those too that change how fast the worker is, and not what it writes.
    """
    names = [*RESULT_SETTINGS, *(RESOURCE_SETTINGS if resources else ())]
    has_endpoint = bool(settings.model) or settings.embedder.startswith("openai:")
    if settings.model:
        names = [*MODEL_SETTINGS, *names, *(CALL_SETTINGS if resources else ())]
    if has_endpoint:
        names[1:1] = ENDPOINT_SETTINGS
    differences = [
        SettingDifference(_get_variable(name), _format(worker.values[name]), _format(_get_value(settings, name)))
        for name in names
        if name in worker.values and worker.values[name] != _get_value(settings, name)
    ]
    if has_endpoint and not hmac.compare_digest(worker.credentials, _hash_credentials(settings, worker.salt)):
        differences.append(SettingDifference(_get_variable("openai_api_key")))
    return differences


def describe_differences(differences: list[SettingDifference], *, was: str) -> str:
    """As "HOPLINE_MODEL is qwen (was not set)"; ``was`` is the word before the value of the worker."""
    return ", ".join(
        f"{item.variable} is {item.client} ({was} {item.worker})" if item.client else f"{item.variable} is another one"
        for item in differences
    )


def _get_value(settings: Settings, name: str) -> Any:
    value = getattr(settings, name)
    return hide_credentials(value).partition("?")[0] if name in ENDPOINT_SETTINGS else value


def _get_variable(name: str) -> str:
    return name.upper() if name.startswith("openai_") else f"HOPLINE_{name.upper()}"


def _format(value: Any) -> str:
    return "not set" if value == "" else f"{value:g}" if isinstance(value, float) else str(value)


def _hash_credentials(settings: Settings, salt: str) -> str:
    """Hash the API key and the password of the address, if any; "" if there are none."""
    address = settings.openai_base_url
    secret = settings.openai_api_key.get_secret_value() + (address if address != hide_credentials(address) else "")
    if not secret:
        return ""
    return hashlib.pbkdf2_hmac("sha256", secret.encode(), salt.encode(), _ITERATIONS).hex()
