"""Names of added files: unique within a collection, and the same whenever a file is added again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Literal

from hopline.documents.source_files import get_suffix
from hopline.metadata.values import Metadata


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file to add, whose content was stored. ``name``: see `SourceFile`; ``path`` is "" if it is an upload.

    ``reason`` says why it cannot be read; ``sha256`` is then "". ``side`` is the metadata of its side file.
    """

    name: str
    path: str
    sha256: str = ""
    reason: str = ""
    side: Metadata = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A file of the collection: a document or a ``.jsonl`` file. ``path`` is "" if it is not known."""

    id: str
    name: str
    path: str
    sha256: str


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file with the name of its document, and with the known file that it is a version of, if any."""

    file: StoredFile
    name: str
    known: KnownFile | None = None

    @property
    def change(self) -> Literal["new", "replaced", "unchanged"]:
        """What adding the file means for the collection; a file that cannot be read changes no known one."""
        if self.known is None:
            return "new"
        return "replaced" if self.file.sha256 not in ("", self.known.sha256) else "unchanged"


Lookup = Callable[[Sequence[str]], Mapping[str, KnownFile]]  # known files by path, or by name


def assign_names(files: Sequence[StoredFile], find_by_path: Lookup, find_by_name: Lookup) -> list[NamedFile]:
    """Return each file with the name of its document.

    A file is a version of the known file of its path; otherwise of that of its name, if the content is equal or one of
    the two paths is not known. Other files of a name that is in use are numbered, in the order of their paths.
    """
    by_path = find_by_path([file.path for file in files if file.path])
    named = [NamedFile(file, by_path[file.path].name, by_path[file.path]) for file in files if file.path in by_path]
    waiting = sorted((file for file in files if file.path not in by_path), key=lambda file: file.path)
    used, wanted = {file.name for file in named}, {file.name for file in files}
    for number in count(1):
        candidates = [(file, _number_name(file.name, number)) for file in waiting]
        by_name = find_by_name([name for _, name in candidates]) if candidates else {}
        waiting = []
        for file, name in candidates:
            known = by_name.get(name)
            is_reserved = name in used or (number > 1 and name in wanted)
            if is_reserved or (known is not None and not _is_version(file, known)):
                waiting.append(file)
            else:
                used.add(name)
                named.append(NamedFile(file, name, known))
        if not waiting:
            break
    return named


def _is_version(file: StoredFile, known: KnownFile) -> bool:
    """Return whether a file of the same name is a version of the known one, as far as their paths say."""
    return not file.path or not known.path or (bool(file.sha256) and file.sha256 == known.sha256)


def _number_name(name: str, number: int) -> str:
    """Return the name of the nth of several files with one name: "report.pdf", "report (2).pdf", and so on."""
    end = len(name) - len(get_suffix(name))
    return name if number == 1 else f"{name[:end]} ({number}){name[end:]}"
