"""Enlarge an exported collection to many passages for `scale.py`: copies with other words, ids and vectors.

    python benchmarks/enlarge.py FOLDER TARGET --passages 100000 [--seed 0]

The first copy is the collection itself, so that its questions have the same gold. In every other copy, each word of a
name is another word of the same length and about the same frequency, in texts and names alike, so that all spans stay
valid. Entities that many passages mention are the same in all copies and become hubs whose degree grows with the
collection; the others are new. Vectors are those of the passage with noise (`NOISE`): clusters around real vectors.
Within a copy the edges are those of the collection; no edge joins two copies but through the hubs.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import IO, Any, Final

import numpy as np

from hopline.exchange.folder_export import compute_sha256, create_folder, to_line
from hopline.exchange.layout import (
    MANIFEST,
    NODE_KINDS,
    RELATIONSHIP_KINDS,
    VECTOR_KINDS,
    ExportedFile,
    Manifest,
    get_node_path,
    get_relationship_path,
    get_vector_path,
)
from hopline.exchange.vector_files import ARRAY, IDS
from hopline.ids import stable_id

HUB_MENTIONS: Final = 20  # passages that mention an entity which is the same in all copies
FREQUENT: Final = 0.02  # share of the passages that have a word which stays
NOISE: Final = 0.55  # length of the noise beside a vector of length 1: a cosine of about .88 to the original
TEXTS: Final = frozenset(
    {"text", "search", "name", "title", "subject", "object", "caption", "aliases", "alias_pairs", "cells"}
)
IDS_OF_NODES: Final = frozenset({"id", "document", "evidence", "was", "one", "other", "entity"})
SHARED_KINDS: Final = frozenset({"collection", "jsonl_files", "learned"})
_WORD: Final = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class Original:
    """The exported collection, with the words and ids that its copies change."""

    folder: Path
    rng: np.random.Generator = field(repr=False)

    @cached_property
    def manifest(self) -> Manifest:
        """The manifest of the folder."""
        return Manifest.from_json((self.folder / MANIFEST).read_text("utf-8"))

    @cached_property
    def shared(self) -> frozenset[str]:
        """Ids that are the same in all copies: of the collection, its files and the entities of many passages."""
        mentions = Counter(row["target"] for row in self.read(Path("relationships") / "MENTIONS.jsonl"))
        hubs = {id for id, count in mentions.items() if count >= HUB_MENTIONS}
        ids = {row["id"] for kind in NODE_KINDS if kind.file in SHARED_KINDS for row in self.read(get_node_path(kind))}
        return frozenset(hubs | ids)

    @cached_property
    def word_groups(self) -> list[list[str]]:
        """Words of names that no hub has and few passages, of equal length and neighbouring frequency."""
        counts: Counter[str] = Counter()
        for row in self.read("passages.jsonl"):
            counts.update({word.lower() for word in _WORD.findall(row["text"])})
        names, staying = set(), set()
        for row in self.read("entities.jsonl"):
            words = {word.lower() for word in _WORD.findall(" ".join([row["name"], *row.get("aliases", [])]))}
            (staying if row["id"] in self.shared else names).update(words)
        limit = FREQUENT * self.manifest.counts["passages"]
        words = sorted(word for word in names - staying if counts[word] <= limit and word == word.lower())
        by_length: dict[int, list[str]] = {}
        for word in sorted(words, key=lambda word: (-counts[word], word)):
            by_length.setdefault(len(word), []).append(word)
        return [group[i : i + 400] for group in by_length.values() for i in range(0, len(group), 400)]

    def read(self, path: str | Path) -> Iterator[dict[str, Any]]:
        """Read the rows of a file."""
        with (self.folder / path).open(encoding="utf-8", newline="\n") as file:
            yield from map(json.loads, file)

    def draw_words(self) -> dict[str, str]:
        """Draw the words of a copy: each word of a group becomes another one of it."""
        return {
            word: other
            for group in self.word_groups
            for word, other in zip(group, self.rng.permutation(group).tolist(), strict=True)
        }


@dataclass(frozen=True)
class Copy:
    """One copy: its number, its words, and the ids that it shares with the original."""

    number: int
    words: dict[str, str] = field(repr=False)
    shared: frozenset[str] = field(repr=False)

    def map_id(self, id: str) -> str:
        """Return the id of a node of the original in this copy."""
        return id if id in self.shared else stable_id("copy", self.number, id)

    def map_text(self, text: str) -> str:
        """Return a text with the words of this copy; its length stays the same."""
        return _WORD.sub(lambda match: self._map_word(match[0]), text)

    def _map_word(self, word: str) -> str:
        other = self.words.get(word.lower())
        if other is None:
            return word
        return other.upper() if word.isupper() else other.capitalize() if word[0].isupper() else other

    def map_properties(self, properties: dict[str, Any]) -> dict[str, Any]:
        """Return the properties of a node or a relationship in this copy."""
        changed: dict[str, Any] = {}
        for name, value in properties.items():
            if name in IDS_OF_NODES and isinstance(value, str):
                changed[name] = self.map_id(value)
            elif name in TEXTS and isinstance(value, str):
                changed[name] = self.map_text(value)
            elif name in TEXTS and isinstance(value, list):
                changed[name] = [self.map_text(item) if isinstance(item, str) else item for item in value]
            elif name == "source_id":
                changed[name] = f"{self.number}:{value}"
        return {**properties, **changed}


def enlarge(original: Original, target: Path, copies: int) -> Manifest:
    """Write a folder with this many copies of a collection."""
    files: dict[str, ExportedFile] = {}
    drawn = [Copy(number, original.draw_words(), original.shared) for number in range(1, copies)]
    (target / "relationships").mkdir()
    for kind in NODE_KINDS:
        path = get_node_path(kind)
        with (target / path).open("w", encoding="utf-8", newline="\n") as file:
            rows = _write_nodes(original, path, drawn, file)
        files[path] = ExportedFile(rows, compute_sha256(target / path))
    for relationship in RELATIONSHIP_KINDS:
        path = get_relationship_path(relationship)
        with (target / path).open("w", encoding="utf-8", newline="\n") as file:
            rows = _write_relationships(original, path, drawn, file)
        files[path] = ExportedFile(rows, compute_sha256(target / path))
    (target / "vectors").mkdir()
    for node_kind in VECTOR_KINDS:
        for array in sorted((original.folder / "vectors").glob(f"{node_kind.file}.*{ARRAY}")):
            path = get_vector_path(node_kind, array.name.split(".")[1])
            rows = _write_vectors(original, path, drawn, target)
            for suffix in (ARRAY, IDS):
                files[path + suffix] = ExportedFile(rows, compute_sha256(target / (path + suffix)))
    counts = {kind.file: files[get_node_path(kind)].rows for kind in NODE_KINDS}
    counts |= {kind.type: files[get_relationship_path(kind)].rows for kind in RELATIONSHIP_KINDS}
    manifest = replace(original.manifest, counts=counts, files=files, has_originals=False)
    (target / MANIFEST).write_text(manifest.to_json(), encoding="utf-8")
    return manifest


def _write_nodes(original: Original, path: str, drawn: list[Copy], file: IO[str]) -> int:
    rows = list(original.read(path))
    file.writelines(map(to_line, rows))
    own = [row for row in rows if row["id"] not in original.shared]
    for copy in drawn:
        file.writelines(to_line(copy.map_properties(row)) for row in own)
    return len(rows) + len(drawn) * len(own)


def _write_relationships(original: Original, path: str, drawn: list[Copy], file: IO[str]) -> int:
    """Write the relationships of all copies; those between two shared nodes once."""
    rows = list(original.read(path))
    file.writelines(map(to_line, rows))
    own = [row for row in rows if not {row["source"], row["target"]} <= original.shared]
    for copy in drawn:
        for row in own:
            mapped = {"source": copy.map_id(row["source"]), "target": copy.map_id(row["target"])}
            properties = {"properties": copy.map_properties(row["properties"])} if "properties" in row else {}
            file.write(to_line({**mapped, **properties}))
    return len(rows) + len(drawn) * len(own)


def _write_vectors(original: Original, path: str, drawn: list[Copy], target: Path) -> int:
    vectors = np.load(original.folder / (path + ARRAY), mmap_mode="r")
    ids = (original.folder / (path + IDS)).read_text("utf-8").split()
    own = np.array([id not in original.shared for id in ids])
    rows = len(ids) + len(drawn) * int(own.sum())
    shape = (rows, vectors.shape[1])
    enlarged = np.lib.format.open_memmap(target / (path + ARRAY), mode="w+", dtype=np.dtype("<f4"), shape=shape)
    enlarged[: len(ids)] = vectors
    position, base = len(ids), np.asarray(vectors)[own]
    with (target / (path + IDS)).open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{id}\n" for id in ids)
        for copy in drawn:
            noise = original.rng.standard_normal(base.shape, dtype=np.float32)
            noisy = base + NOISE * noise / np.linalg.norm(noise, axis=1, keepdims=True)
            enlarged[position : position + len(base)] = noisy / np.linalg.norm(noisy, axis=1, keepdims=True)
            position += len(base)
            file.writelines(f"{copy.map_id(id)}\n" for id, staying in zip(ids, own, strict=True) if staying)
    enlarged.flush()
    return rows


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--passages", type=int, required=True)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    original = Original(args.folder, np.random.default_rng(args.seed))
    copies = max(1, round(args.passages / original.manifest.counts["passages"]))
    with create_folder(args.target) as partial:
        manifest = enlarge(original, partial, copies)
    print(f"{copies} copies: {manifest.counts}")


if __name__ == "__main__":
    main()
