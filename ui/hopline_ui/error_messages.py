"""Report errors to the user as messages without stack traces, and retry while the database is not reachable."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

import streamlit as st

from hopline.errors import EngineUnavailable, HoplineError, ModelUnavailable
from hopline_ui.markup import escape_markdown
from hopline_ui.session.state import get_state

RETRY_SECONDS = 4.0
WAITING = "Waiting for the database. If it was stopped, it is started again; this takes up to a minute."

_log = logging.getLogger(__name__)


@contextmanager
def report_errors(action: str) -> Iterator[None]:
    """Show errors raised inside as messages; ``action`` completes "An unexpected error occurred while …"."""
    try:
        yield
    except EngineUnavailable as error:
        _log.warning("the database is not reachable: %s", error)
        st.warning(f"**Database not reachable, retrying.** {escape_markdown(error)}", icon=":material/cloud_off:")
        _schedule_retry()
    except ModelUnavailable as error:
        st.warning(f"**Language model not reachable.** {escape_markdown(error)}", icon=":material/cloud_off:")
    except HoplineError as error:
        st.error(escape_markdown(error), icon=":material/error:")
    except Exception:  # noqa: BLE001 - last resort of a page: logged, and no stack trace is shown
        _log.exception("unexpected error while %s", action)
        st.error(
            f"An unexpected error occurred while {action}. Your documents are not affected; "
            "the details are in the log of this page.",
            icon=":material/error:",
        )


def show_waiting() -> AbstractContextManager[None]:
    """Return a context in which the page says that it waits for the database, after half a second without an answer."""
    return st.spinner(WAITING, show_time=True)


def _schedule_retry() -> None:
    """Rerun the whole page every few seconds until a run succeeds."""
    get_state().retry_at = time.monotonic() + RETRY_SECONDS / 2
    _retry()


@st.fragment(run_every=RETRY_SECONDS)
def _retry() -> None:
    if time.monotonic() >= get_state().retry_at:
        st.rerun()
    st.caption("No data is lost. Retrying automatically every few seconds …")
