"""Simulates that a process is killed between two transactions."""

from __future__ import annotations

from typing import Any

import pytest

from hopline.store.graph import Store


class Killed(BaseException):
    """Stands for the end of a process by kill -9; no handler of `Exception` catches it."""


def kill_before(monkeypatch: pytest.MonkeyPatch, prefix: str) -> None:
    """Raise `Killed` once, before a statement whose name begins with ``prefix`` is run."""
    real = Store.write

    def write(self: Store, *writes: Any) -> Any:
        if any(name.startswith(prefix) for name, _ in writes):
            monkeypatch.setattr(Store, "write", real)
            raise Killed
        return real(self, *writes)

    monkeypatch.setattr(Store, "write", write)
