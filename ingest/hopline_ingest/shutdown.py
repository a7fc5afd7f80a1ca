"""Shutdown of a busy worker, and of child processes when their parent ends."""

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
_GRACE_SECONDS: Final = 3.0  # for a step that can stop by itself


class WorkStopped(BaseException):
    """The worker was asked to stop during a step; the next worker continues with what was not written.

    It is not an `Exception`, since nothing failed: no step may treat it as an error of a document.
    """


@contextmanager
def interruptible(stop: threading.Event, *cancel: Callable[[], None]) -> Iterator[None]:
    """Leave this block soon after ``stop`` is set; the ``cancel`` functions abort what its steps wait for.

    A step that continues nevertheless is interrupted by the handler of `handle_signals`, repeatedly until the
    block is left: code that handles an interruption may replace it by an error of its own.
    """
    finished = threading.Event()
    in_main_thread = threading.current_thread() is threading.main_thread()

    def cancel_steps() -> None:
        while not stop.wait(_POLL_SECONDS):
            if finished.is_set():
                return
        for function in cancel:
            function()
        while not finished.wait(_GRACE_SECONDS) and in_main_thread:
            _interrupt_main_thread()

    thread = threading.Thread(target=cancel_steps, name="stopping", daemon=True)
    thread.start()
    try:
        yield
    except WorkStopped:
        log.info("stopped during a step; the next worker continues")
    finally:
        finished.set()
        thread.join()


def _interrupt_main_thread() -> None:
    if not callable(signal.getsignal(signal.SIGTERM)):
        return  # without a handler the signal would kill the process
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)  # also interrupts a blocking call
    else:
        _thread.interrupt_main(signal.SIGTERM)


def handle_signals(stop: threading.Event) -> None:
    """Set ``stop`` on SIGTERM and SIGINT; raise `WorkStopped` on a second signal."""

    def handle(*_: object) -> None:
        if stop.is_set():
            raise WorkStopped
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, handle)


def exit_with_parent(parent: Connection) -> None:
    """Exit this process, even while busy, as soon as the other end of ``parent`` is closed.

    The owner closes it, or the system does when the owner is killed.
    """
    threading.Thread(target=_wait_for_parent, args=(parent,), name="parent", daemon=True).start()


def _wait_for_parent(parent: Connection) -> None:
    with suppress(EOFError, OSError):
        parent.recv_bytes()  # nothing is ever sent; returns when the connection closes
    os._exit(1)
