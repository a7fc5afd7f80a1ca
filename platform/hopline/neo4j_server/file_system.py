"""Folders and files of the private server, and what the disk can refuse, in words."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hopline.errors import EngineUnavailable

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_CLOSED = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST}


@contextmanager
def disk_errors(folder: Path) -> Iterator[None]:
    """Turn what the disk refuses within this block into `EngineUnavailable`, naming the folder."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise EngineUnavailable(
                f"the disk of {folder} is full ({error.strerror}): make room, or move Hopline's folders with "
                "HOPLINE_HOME and HOPLINE_CACHE; what is there already is kept"
            ) from error
        if error.errno in _CLOSED:
            raise EngineUnavailable(
                f"{error.filename or folder} cannot be written ({error.strerror}): give yourself the right to, or name "
                "other folders with HOPLINE_HOME and HOPLINE_CACHE"
            ) from error
        if isinstance(error, ConnectionError):
            raise  # the network's, not the disk's
        raise EngineUnavailable(
            f"{error.filename or folder} cannot be used ({error.strerror or error}): look at that disk, or name other "
            "folders with HOPLINE_HOME and HOPLINE_CACHE"
        ) from error


def made(folder: Path) -> Path:
    """The folder, made with its parents where it is missing; only its owner looks into a new one.

    Raises:
        EngineUnavailable: it cannot be made or written; says why.
    """
    with disk_errors(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))
    return folder
