"""Folders of the private server, and error messages for failures of the disk."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hopline.errors import EngineUnavailable

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_NOT_WRITABLE = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST}


@contextmanager
def translate_disk_errors(folder: Path) -> Iterator[None]:
    """Translate errors of the disk within this block to `EngineUnavailable`, naming the folder."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise EngineUnavailable(
                f"the disk of {folder} is full ({error.strerror}): make room, or move Hopline's folders with "
                "HOPLINE_HOME and HOPLINE_CACHE; existing files are kept"
            ) from error
        if error.errno in _NOT_WRITABLE:
            raise EngineUnavailable(
                f"{error.filename or folder} cannot be written ({error.strerror}): change its permissions, or "
                "choose other folders with HOPLINE_HOME and HOPLINE_CACHE"
            ) from error
        if isinstance(error, ConnectionError):
            raise  # of the network, not of the disk
        raise EngineUnavailable(
            f"{error.filename or folder} cannot be used ({error.strerror or error}): check that disk, or choose "
            "other folders with HOPLINE_HOME and HOPLINE_CACHE"
        ) from error


def ensure_folder(folder: Path) -> Path:
    """Create a folder with its parents if it is missing, readable by its owner only, and return it.

    Raises:
        EngineUnavailable: it cannot be created or written; says why.
    """
    with translate_disk_errors(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))
    return folder
