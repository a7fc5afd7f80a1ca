"""Every error that Hopline raises on purpose.

HoplineError
├── UsageError             wrong argument, unknown name: change the call
│   ├── UnknownName        names what was asked for and what there is
│   └── SettingsError      a setting that cannot be used
├── EngineError            the graph cannot be reached or used
│   ├── EngineUnavailable  not running, not fetched, no network, no disk
│   ├── EngineRefused      wrong password, server too old, data too new
│   └── StatementError     a .cypher file that cannot be loaded or run
├── ModelError             a language model or an embedder did not do its work
│   ├── ModelUnavailable   not configured, not reachable, out of retries
│   └── ReplyError         it answered, and the answer cannot be used
├── DocumentError          one document that cannot be read; names the reason
└── FlowError              a question that was stopped
    ├── BudgetSpent        calls, tokens or seconds reached their cap
    └── Cancelled          somebody closed it
"""

from __future__ import annotations

from collections.abc import Iterable


class HoplineError(Exception):
    """Root of the tree."""


class UsageError(HoplineError, ValueError):
    """The call cannot mean anything; changing it will help."""


class UnknownName(UsageError):
    """No such strategy, collection, statement…; says which there are."""

    def __init__(self, kind: str, wanted: str, known: Iterable[str]) -> None:
        there = ", ".join(sorted(known)) or "none"
        super().__init__(f"no {kind} called {wanted!r}; there are: {there}")
        self.wanted = wanted


class SettingsError(UsageError):
    """A setting has a value that cannot be used."""


class EngineError(HoplineError):
    """The graph engine failed."""


class EngineUnavailable(EngineError):
    """The engine does not run and could not be started or reached."""


class EngineRefused(EngineError):
    """The engine runs and will not work with us: credentials, version, data."""


class StatementError(EngineError):
    """A .cypher file is wrong; the message names file and line."""


class ModelError(HoplineError):
    """A model failed."""


class ModelUnavailable(ModelError):
    """No model is configured, or it did not answer within its retries."""


class ReplyError(ModelError):
    """The model's reply cannot be used for what it was asked."""


class DocumentError(HoplineError):
    """One document cannot be read. The message is shown to the user as it is."""


class FlowError(HoplineError):
    """A flow ended before its result."""


class BudgetSpent(FlowError):
    """The cap on calls, tokens or seconds was reached."""


class Cancelled(FlowError):
    """The flow was closed from outside."""
