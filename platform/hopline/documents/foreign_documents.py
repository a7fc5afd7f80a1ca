"""Documents of LangChain, LlamaIndex and Haystack, and files in memory, recognized without importing the libraries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import UUID

from hopline.documents.foreign_metadata import clean_metadata
from hopline.documents.memory_files import MemoryFiles, NamedBytes
from hopline.documents.progress import Failure
from hopline.documents.text_files import TextPart, check_text, compute_key, group_parts
from hopline.errors import DocumentError, UsageError
from hopline.text_encoding import clean_name

EXPECTED: Final = (
    "expected a document of LangChain (page_content), LlamaIndex (get_content) or Haystack (content), or a file as "
    "(name, bytes)"
)
_SOURCES: Final = ("source", "file_path", "url", "file_name", "filename")  # metadata that say where a text is from


def build_document_files(documents: Iterable[Any]) -> MemoryFiles:
    """Build the files of documents of other libraries, and of files in memory, in their order.

    Texts with the same source ("source", "file_path", "url", "file_name" of their metadata) are the parts of one
    document, in their order, as loaders and splitters return them. Without a source, a text is identified by its
    title, by its id unless that is random, or by a hash.

    Raises:
        UsageError: ``documents`` cannot be iterated, or is one document.
    """
    parts: list[TextPart] = []
    files: list[NamedBytes] = []
    failures: list[Failure] = []
    for number, document in enumerate(_iterate(documents)):
        try:
            item = read_document(document)
        except DocumentError as error:
            failures.append(Failure(_name_item(number, document), str(error)))
        else:
            if isinstance(item, NamedBytes):
                files.append(item)
            else:
                parts.append(item)
    return MemoryFiles((*files, *group_parts(parts)), tuple(failures))


def _iterate(documents: Iterable[Any]) -> Iterator[Any]:
    if isinstance(documents, str | bytes | Mapping | NamedBytes) or not isinstance(documents, Iterable):
        raise UsageError(f"documents must be a list; got {documents!r:.80}, of type {type(documents).__name__}")
    return iter(documents)


def _name_item(number: int, document: object) -> str:
    """Return the name of an item in a message: its number, and its source or its title if it has one."""
    metadata = getattr(document, "metadata", None) or getattr(document, "meta", None)
    name = ""
    if isinstance(metadata, Mapping):
        name = _find_source(metadata) or _get_text(metadata, "title")
    elif isinstance(document, tuple) and document and isinstance(document[0], str):
        name = clean_name(document[0])
    return f"documents[{number}]{f' ({name})' if name else ''}"


def read_document(document: Any) -> TextPart | NamedBytes:
    """Return a document of another library as a part of a text, or a file in memory.

    Raises:
        DocumentError: it is neither, or has no text.
    """
    match document:
        case NamedBytes(name=name, data=data) | (name, data):
            return _check_file(name, data)
    if hasattr(document, "page_content"):
        return _build_part(document.page_content, document.metadata, getattr(document, "id", None))
    if hasattr(document, "get_content") and hasattr(document, "node_id"):
        return _build_part(_get_node_text(document), document.metadata, document.node_id)
    if hasattr(document, "content") and hasattr(document, "meta"):
        blob = getattr(document, "blob", None)
        if document.content is None and blob is not None:
            return _check_file(_find_source(document.meta), blob.data)
        return _build_part(document.content, document.meta, getattr(document, "id", None))
    raise DocumentError(f"{EXPECTED}; got {document!r:.80}, of type {type(document).__name__}")


def _get_node_text(node: Any) -> object:
    """Return the text of a node of LlamaIndex, without the metadata that ``get_content`` may add."""
    return node.text if isinstance(getattr(node, "text", None), str) else node.get_content()


def _check_file(name: object, data: object) -> NamedBytes:
    if not isinstance(name, str) or not name.strip():
        raise DocumentError(f"a file needs its name, with its extension; got {name!r:.80}")
    if not isinstance(data, bytes | bytearray | memoryview):
        raise DocumentError(f"the content of a file must be bytes; got {data!r:.80}, of type {type(data).__name__}")
    return NamedBytes(clean_name(name).strip(), bytes(data))


def _build_part(text: object, metadata: object, id: object) -> TextPart:
    known = metadata if isinstance(metadata, Mapping) else {}
    checked = check_text(text)
    source, title = _find_source(known), _get_text(known, "title")
    own_id = clean_name(id).strip() if isinstance(id, str) else ""
    key = source or title or (own_id if own_id and not _is_random(own_id) else compute_key(checked))
    return TextPart(checked, key, title or _get_file_name(source), own_id, clean_metadata(known))


def _find_source(metadata: Mapping[Any, Any]) -> str:
    return next((source for name in _SOURCES if (source := _get_text(metadata, name))), "")


def _get_text(metadata: Mapping[Any, Any], name: str) -> str:
    value = metadata.get(name)
    return clean_name(str(value)).strip() if isinstance(value, str | PurePosixPath) else ""


def _get_file_name(source: str) -> str:
    """Return the last part of a path; an address as it is."""
    return source if urlsplit(source).netloc else source.replace("\\", "/").rstrip("/").rpartition("/")[2]


def _is_random(id: str) -> bool:
    """Return whether an id is a UUID, as libraries assign them at random to each new object."""
    try:
        UUID(id)
    except ValueError:
        return False
    return True
