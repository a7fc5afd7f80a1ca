"""Who may change settings on the page: a user of this machine, and a user who signed in."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address
from typing import Final

import streamlit as st

_FORWARDING: Final = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")  # headers of a proxy


def may_change_settings() -> bool:
    """Return whether the visitor signed in, or opened the page on the machine that serves it.

    The page has a login only if Streamlit's ``[auth]`` is configured.
    """
    signed_in = bool(st.user.get("is_logged_in", False))
    return signed_in or is_this_machine(st.context.ip_address, st.context.headers)


def is_this_machine(address: str | None, headers: Mapping[str, str]) -> bool:
    """Return whether a connection comes from this machine, and not through a proxy on it.

    ``address`` is that of the other end; None for 127.0.0.1 and ::1, as Streamlit has it. A page that was opened under
    another name than that of the loopback interface may be one of another machine.
    """
    names = {name.lower(): value for name, value in headers.items()}
    if any(name in names for name in _FORWARDING):
        return False
    return (address is None or _is_loopback(address)) and _is_loopback(_get_host_name(names.get("host", "")))


def _get_host_name(host: str) -> str:
    """Return the name in a header "Host": without the port, and without the brackets of an IPv6 address."""
    return host.partition("]")[0].removeprefix("[") if host.startswith("[") else host.partition(":")[0]


def _is_loopback(name: str) -> bool:
    try:
        return name.lower() == "localhost" or ip_address(name).is_loopback
    except (ValueError, AttributeError):
        return False
