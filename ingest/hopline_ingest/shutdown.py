"""Ending a worker that is busy, and processes that end with it."""

from __future__ import annotations

import _thread
import logging
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from typing import Final

log = logging.getLogger(__name__)

_POLL_SECONDS: Final = 0.2
_GRACE_SECONDS: Final = 3.0  # for a step that can end by itself


class WorkStopped(BaseException):
    """The worker was asked to end in the middle of a step; the next worker does what was not written.

    It is no `Exception`, as nothing failed: no step may take it for a fault of a document.
    """


@contextmanager
def interruptible(stop: threading.Event, *endings: Callable[[], None]) -> Iterator[None]:
    """Leave this block soon after ``stop`` is set: ``endings`` end what its steps wait for.

    A step that goes on nevertheless is interrupted by the handler of `handle_signals`.
    """
    left = threading.Event()
    here = threading.current_thread() is threading.main_thread()

    def end_steps() -> None:
        while not stop.wait(_POLL_SECONDS):
            if left.is_set():
                return
        for ending in endings:
            ending()
        if not left.wait(_GRACE_SECONDS) and here:
            _interrupt_main_thread()

    thread = threading.Thread(target=end_steps, name="stopping", daemon=True)
    thread.start()
    try:
        yield
    except WorkStopped:
        log.info("stopped in the middle of a step; the next worker does what is left")
    finally:
        left.set()
        thread.join()


def _interrupt_main_thread() -> None:
    if not callable(signal.getsignal(signal.SIGTERM)):
        return  # nobody handles it, and it would end the process
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)  # also out of a call that blocks
    else:
        _thread.interrupt_main(signal.SIGTERM)


def handle_signals(stop: threading.Event) -> None:
    """Set ``stop`` on SIGTERM and SIGINT; raise `WorkStopped` when one comes again."""

    def handle(*_: object) -> None:
        if stop.is_set():
            raise WorkStopped
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, handle)


def end_with(parent: Connection) -> None:
    """End this process, whatever it does, when the other end of ``parent`` is closed.

    Its owner closes it, or is gone: the system closes what a killed process held.
    """
    threading.Thread(target=_await_end, args=(parent,), name="parent", daemon=True).start()


def _await_end(parent: Connection) -> None:
    with suppress(EOFError, OSError):
        parent.recv_bytes()  # nothing is ever sent
    os._exit(1)
