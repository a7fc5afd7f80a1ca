"""The errors that Hopline raises.

HoplineError
├── UsageError             wrong argument or unknown name: change the call
│   ├── UnknownName        an unknown name; lists the known ones
│   └── SettingsError      a setting that cannot be used
├── EngineError            the graph database cannot be reached or used
│   ├── EngineUnavailable  not running, not downloaded, no network, no disk space
│   ├── EngineRefused      wrong password, server too old, data too new
│   ├── ResourceError      a transaction needs more memory or time than the server grants
│   └── StatementError     a .cypher file that cannot be loaded or run
├── ModelError             a language model or an embedder failed
│   ├── ModelUnavailable   not configured, not reachable, out of retries
│   └── ReplyError         its reply cannot be used
├── DocumentError          one document cannot be parsed; says why
├── FlowError              a flow ended before its result
│   ├── BudgetSpent        calls, tokens, seconds or cost reached their cap
│   └── Cancelled          the caller cancelled it
└── ServiceError           a Hopline service cannot be reached, or refused a request
    ├── AccessDenied       no API key, a wrong one, or one that does not allow this
    └── ServiceBusy        too many requests or questions: try again later
"""

from __future__ import annotations

from collections.abc import Iterable


class HoplineError(Exception):
    """Base class of all errors of Hopline."""


class UsageError(HoplineError, ValueError):
    """The call is not valid; change its arguments."""


class UnknownName(UsageError):
    """There is no strategy, collection, statement… of this name; lists the known ones.

    ``advice`` says what would work where the known names cannot be listed, or where there are none. ``suggestion`` is
    the known name that was probably meant, "" if none is similar.
    """

    def __init__(
        self, kind: str, wanted: str, known: Iterable[str] = (), *, advice: str = "", suggestion: str = ""
    ) -> None:
        names = ", ".join(sorted(known))
        hint = f"there are: {names}" if names else advice or "there is none so far"
        meant = f"did you mean {suggestion!r}? " if suggestion else ""
        super().__init__(f"no {kind} called {wanted!r}; {meant}{hint}")
        self.wanted = wanted


class SettingsError(UsageError):
    """A setting has a value that cannot be used."""


class EngineError(HoplineError):
    """The graph database failed."""


class EngineUnavailable(EngineError):
    """The database does not run, and could not be started or reached."""


class EngineRefused(EngineError):
    """The database runs but refuses the connection: credentials, version, data."""


class ResourceError(EngineError):
    """A transaction needs more memory or time than the server grants; a smaller one may not."""


class StatementError(EngineError):
    """A .cypher file is malformed or cannot be run; the message names file and line."""


class ModelError(HoplineError):
    """A language model or an embedder failed."""


class ModelUnavailable(ModelError):
    """No model is configured, or it did not answer within its retries.

    ``calls`` is the number of calls of the same batch that it did answer, and that are billed.
    """

    def __init__(self, message: str, *, calls: int = 0) -> None:
        super().__init__(message)
        self.calls = calls


class ReplyError(ModelError):
    """The reply of the model cannot be used."""


class DocumentError(HoplineError):
    """One document cannot be parsed. The message is shown to the user unchanged."""


class FlowError(HoplineError):
    """A flow ended before its result."""


class BudgetSpent(FlowError):
    """A cap on calls, tokens, seconds or cost was reached.

    ``out_of_time``: it was that on seconds, after which hardly a search may follow; the others stop prompts only.
    """

    def __init__(self, message: str, *, out_of_time: bool = False) -> None:
        super().__init__(message)
        self.out_of_time = out_of_time


class Cancelled(FlowError):
    """The caller cancelled the flow."""


class ServiceError(HoplineError):
    """A Hopline service cannot be reached, or failed to answer a request."""


class AccessDenied(ServiceError):
    """The API key of a request is missing or wrong, or does not allow what was asked for."""


class ServiceBusy(ServiceError):
    """The service has too many requests or questions; the same request may succeed later."""


def is_outage(error: Exception) -> bool:
    """Whether the database or a model is unavailable, so that no input, such as a document or a prompt, is at fault."""
    return isinstance(error, ModelUnavailable) or (
        isinstance(error, EngineError) and not isinstance(error, StatementError | ResourceError)
    )
