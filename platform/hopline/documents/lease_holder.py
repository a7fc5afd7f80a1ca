"""The worker that holds the lease: the name under which it holds it, and whether its process is alive."""

from __future__ import annotations

import os
import socket
import uuid
from dataclasses import dataclass

import psutil

from hopline.documents.worker_settings import WorkerSettings
from hopline.flow.columns import to_rows
from hopline.store.graph import Store


@dataclass(frozen=True, slots=True)
class LeaseHolder:
    """The worker that holds the lease. ``settings`` is None if it did not record them."""

    name: str
    settings: WorkerSettings | None = None

    @property
    def machine(self) -> str:
        """The host name of its machine."""
        return self.name.rpartition(":")[0].rpartition("-")[0]

    @property
    def is_local(self) -> bool:
        """Whether it is a process of this machine."""
        return _parse_local_pid(self.name) is not None


def make_holder_name() -> str:
    """Return the lease holder name of this process: host name, MAC address and process id."""
    return f"{_get_machine_name()}:{os.getpid()}"


def find_dead_holder(store: Store) -> str:
    """Return the lease holder if it is a process of this machine that no longer exists; "" otherwise."""
    holder = _read_holder_name(store)
    return holder if _is_dead(holder) else ""


def is_worker_running(store: Store) -> bool:
    """Return whether a worker holds the lease and, if it is on this machine, is alive."""
    return read_running_holder(store) is not None


def read_running_holder(store: Store) -> LeaseHolder | None:
    """Return the worker that holds the lease and, if it is on this machine, is alive; None if there is none."""
    for row in to_rows(store.read("ingest/lease_holder")):
        if not _is_dead(row["holder"]):
            return LeaseHolder(row["holder"], WorkerSettings.from_json(row["settings"]))
    return None


def read_local_pid(store: Store) -> int | None:
    """Return the process id of the lease holder; None if there is no holder, or it is on another machine."""
    return _parse_local_pid(_read_holder_name(store))


def _read_holder_name(store: Store) -> str:
    """Return the name of the lease holder, "" if there is none or its lease has expired."""
    return next(iter(store.read("ingest/lease_holder")["holder"]), "")


def _parse_local_pid(holder: str) -> int | None:
    machine, _, pid = holder.rpartition(":")
    return int(pid) if machine == _get_machine_name() and pid.isdigit() else None


def _get_machine_name() -> str:
    return f"{socket.gethostname()}-{uuid.getnode():x}"


def _is_dead(holder: str) -> bool:
    """Return whether the holder is a process of this machine that has ended."""
    pid = _parse_local_pid(holder)
    try:
        return pid is not None and bool(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True
