"""PDFs that cannot be opened before they are added: which are protected by a password, and which are damaged."""

from __future__ import annotations

import json
import mmap
import subprocess
import sys
from pathlib import Path
from typing import Final, Literal, cast, get_args

from hopline.atomic_files import create_temporary_file, move_into_place
from hopline.documents.page_images import has_page_images
from hopline.errors import UsageError

PdfState = Literal["open", "protected", "damaged"]
_SECONDS: Final = 60.0  # for opening a file; one that takes longer counts as damaged
_TAIL: Final = 2048  # bytes at the end of a file, where the position of its index is
_ENCRYPTED: Final = b"/Encrypt"


def read_pdf_state(path: Path) -> PdfState:
    """Return whether a PDF can be opened; only one whose bytes are unusual is opened, in a process of its own."""
    if path.stat().st_size == 0 or (has_page_images(path) and not _is_unusual(path)):
        return "open"
    return _open(path)


def remove_password(path: Path, password: str) -> None:
    """Replace a PDF that is protected by a password by a copy without one.

    Raises:
        UsageError: the password is wrong, or the file is damaged.
    """
    with create_temporary_file(path.parent) as copy:
        state = _open(path, password, copy)
        if state == "protected":
            raise UsageError(f"the password of {path.name} is wrong")
        if state == "damaged":
            raise UsageError(f"{path.name} is damaged and cannot be opened")
        move_into_place(copy, path)


def _is_unusual(path: Path) -> bool:
    """Return whether a PDF is encrypted, which some are without a password, or lacks the position of its index."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        is_pdf = content.find(b"%PDF-", 0, 1024) >= 0  # or an image, whatever its name
        has_end = content.rfind(b"startxref", max(0, len(content) - _TAIL)) >= 0
        return is_pdf and (not has_end or content.rfind(_ENCRYPTED) >= 0)


def _open(path: Path, password: str = "", target: Path | None = None) -> PdfState:
    job = {"path": str(path), "password": password, "target": str(target) if target else None}
    try:
        done = subprocess.run(
            [sys.executable, "-m", "hopline.documents.pdf_opening"],
            input=json.dumps(job).encode(),
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "damaged"
    state = done.stdout.decode()
    return cast("PdfState", state) if state in get_args(PdfState) and not done.returncode else "damaged"
