"""An OpenAI-compatible endpoint: where it is, how it is called, what its failures mean."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from threading import Lock
from typing import TYPE_CHECKING

from hopline.config import Settings
from hopline.errors import SettingsError
from hopline.llm.provider import Pace, Said

if TYPE_CHECKING:
    from openai import APIError, OpenAI

OPENAI = "https://api.openai.com/v1"
MAY_PASS = frozenset({408, 409, 425, 429})  # and every 5xx
NO_PROMPT_WILL_DO = frozenset({401, 403, 404, 407})
NEVER_CONNECTED = frozenset({"ConnectError", "ConnectTimeout", "ProxyError", "UnsupportedProtocol", "PoolTimeout"})
CONNECT_SECONDS = 10.0


@dataclass(slots=True)
class Endpoint:
    """One endpoint; its client is made with the first call and shared by all threads."""

    base_url: str
    key: str = ""
    timeout: float = 120.0
    retries: int = 4
    pace: Pace = field(default_factory=Pace)
    _client: OpenAI | None = None
    _lock: Lock = field(default_factory=Lock)

    def client(self) -> OpenAI:
        """The client. It does not retry by itself: see `hopline.llm.provider.persist`.

        Raises:
            SettingsError: the base URL is none.
        """
        from openai import OpenAI, Timeout

        with self._lock:
            if self._client is None:
                timeout = Timeout(self.timeout, connect=min(self.timeout, CONNECT_SECONDS))
                key = self.key or "none"
                try:
                    self._client = OpenAI(api_key=key, base_url=self.base_url, timeout=timeout, max_retries=0)
                except Exception as error:
                    raise SettingsError(f"openai_base_url {self.base_url!r} cannot be used: {error}") from error
            return self._client

    def close(self) -> None:
        """Close the client's connections; the next call makes new ones."""
        with self._lock:
            if self._client is not None:
                self._client.close()
                self._client = None


def endpoint_of(settings: Settings) -> Endpoint:
    """The endpoint that the settings name; OpenAI's own where they name none."""
    return Endpoint(
        settings.openai_base_url or OPENAI,
        settings.openai_api_key.get_secret_value(),
        settings.model_timeout,
        settings.model_retries,
    )


def failure(error: APIError, *, base_url: str, model: str) -> Said:
    """What a failed call means: whether to try again, when, and whether any prompt could do better.

    A connection that breaks after the prompt was sent may be that prompt's fault; one that was
    never made is nobody's.
    """
    from openai import APIConnectionError, APIStatusError, APITimeoutError

    at = f"model {model!r} at {base_url}"
    if type(error.__cause__).__name__ in NEVER_CONNECTED:
        return Said(error=f"{at} cannot be reached: {error.__cause__ or error}", again=True, unreachable=True)
    if isinstance(error, APITimeoutError):
        return Said(error=f"{at} did not answer in time", again=True)
    if isinstance(error, APIConnectionError):
        return Said(error=f"{at} broke the connection: {error.__cause__ or error}", again=True)
    if not isinstance(error, APIStatusError):
        return Said(error=f"{at} answered what the client cannot read: {error}", again=True)
    status = error.status_code
    says = f"{at} answered HTTP {status}: {error.message:.300}"
    if status in NO_PROMPT_WILL_DO or error.code == "insufficient_quota":
        return Said(error=says, unreachable=True, status=status)
    again, after = status in MAY_PASS or status >= 500, wait_asked(error.response.headers)
    return Said(error=says, again=again, after=after, status=status)


def wait_asked(headers: Mapping[str, str]) -> float | None:
    """Seconds that ``Retry-After`` or OpenAI's ``retry-after-ms`` asks to wait; None where neither can be read."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * scale
        except ValueError:
            continue
        return max(0.0, seconds) if not math.isnan(seconds) else None
    try:
        return max(0.0, parsedate_to_datetime(headers.get("retry-after", "")).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None
