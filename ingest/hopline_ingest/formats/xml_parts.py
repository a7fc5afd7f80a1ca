"""Parts of office files, which are zip archives of XML."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping
from typing import Any, Final

_MAX_BYTES: Final = 400_000_000  # of all parts together, decompressed
_DAMAGED: Final = (zipfile.BadZipFile, NotImplementedError, EOFError, OSError, RuntimeError, ValueError)


def read_parts(data: bytes, names: re.Pattern[str] | None = None) -> dict[str, bytes] | None:
    """Return the parts of a file by name, in order; None if the archive is damaged, encrypted or too large.

    Only the parts whose whole name matches ``names`` are read, if it is given.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(info.file_size for info in archive.infolist()) > _MAX_BYTES:
                return None
            files = [info for info in archive.infolist() if not info.is_dir()]
            return {info.filename: archive.read(info) for info in files if not names or names.fullmatch(info.filename)}
    except _DAMAGED:
        return None


def write_parts(parts: Mapping[str, bytes]) -> bytes:
    """Return an archive of the parts, not compressed."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return buffer.getvalue()


def parse_xml(part: bytes | None) -> Any | None:
    """Return the root element of a part; None if it is missing or damaged. Entities and addresses are not resolved."""
    from lxml import etree

    if part is None:
        return None
    try:
        return etree.fromstring(part, etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True))
    except etree.XMLSyntaxError:
        return None


def serialize_xml(root: Any) -> bytes:
    """Return the bytes of a part."""
    from lxml import etree

    text: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    return text
