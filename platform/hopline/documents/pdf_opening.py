"""Open a PDF in a process of its own, and save it without a password: reads a job as JSON from stdin, writes the state.

The job has ``path``, ``password`` ("" for none) and ``target``, the path of the copy without a password, or null. The
state is that of `hopline.documents.protected_pdfs.PdfState`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pypdfium2
from pypdfium2 import raw

from hopline.documents.images import convert_image
from hopline.documents.pdf_render import limit_memory


def open_pdf(job: dict[str, Any]) -> str:
    """Open the PDF of a job, save the copy if there is to be one, and return the state of the PDF."""
    path = Path(job["path"])
    try:
        document = pypdfium2.PdfDocument(convert_image(path) or path, password=job["password"] or None)
    except pypdfium2.PdfiumError as error:
        is_protected = "password" in str(error).lower() or "security" in str(error).lower()
        return "protected" if is_protected else "damaged"
    with document:
        if job["target"] is not None:
            document.save(job["target"], flags=raw.FPDF_REMOVE_SECURITY)
    return "open"


if __name__ == "__main__":
    limit_memory()
    sys.stdout.write(open_pdf(json.load(sys.stdin)))
