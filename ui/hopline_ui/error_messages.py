"""Errors in words for the user: never a stack trace, and a way on where there is one."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from hopline.errors import EngineUnavailable, HoplineError, ModelUnavailable
from hopline_ui.markup import plain

RETRY_SECONDS = 4.0

_log = logging.getLogger(__name__)


@contextmanager
def calmly(doing: str) -> Iterator[None]:
    """Shows what goes wrong inside as a message; ``doing`` ends the sentence "Something failed while …"."""
    try:
        yield
    except EngineUnavailable as error:
        _log.warning("the graph is away: %s", error)
        st.warning(f"**The graph is away.** {plain(error)}", icon=":material/cloud_off:")
        _try_again()
    except ModelUnavailable as error:
        st.warning(f"**The model is away.** {plain(error)}", icon=":material/cloud_off:")
    except HoplineError as error:
        st.error(plain(error), icon=":material/error:")
    except Exception:  # noqa: BLE001 - the last resort of a page: logged, and never a stack trace
        _log.exception("failed while %s", doing)
        st.error(
            f"Something failed while {doing}. Your documents are safe; the details are in the page's log.",
            icon=":material/error:",
        )


def _try_again() -> None:
    """Runs the whole page again every few seconds; gone as soon as a run succeeds."""
    st.session_state["retry at"] = time.monotonic() + RETRY_SECONDS / 2
    _waiting()


@st.fragment(run_every=RETRY_SECONDS)
def _waiting() -> None:
    if time.monotonic() >= st.session_state.get("retry at", 0.0):
        st.rerun()
    st.caption("Nothing is lost. Trying again by itself every few seconds …")
