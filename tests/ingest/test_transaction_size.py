"""Documents that are too large for one transaction, on a real server whose transactions have little memory.

The server grants 2 MB to a transaction, where the default is 512 MB: about 100 of the passages here.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from canonical import rows as query

from hopline import Hopline
from hopline.config import Settings, load_settings
from hopline.documents.addition import add_files
from hopline.documents.source_files import find_files
from hopline.errors import EngineUnavailable, ResourceError, is_outage
from hopline.ids import collection_id
from hopline.neo4j_server import configuration, startup
from hopline.records import Collection
from hopline.store.graph import Store
from hopline.store.removal import remove_collection
from hopline_ingest import batch_bisection
from hopline_ingest.batch_bisection import process_with_bisection
from hopline_ingest.formats.jsonl_spool import JsonlSpool
from hopline_ingest.formats.parsed_document import ParsedDocument, ParsedPage, ParsedPassage
from hopline_ingest.stage_runner import IsolatedStage, converge
from hopline_ingest.stages import jsonl_files
from hopline_ingest.stages.jsonl_files import ParseJsonlFiles
from hopline_ingest.stages.parse import ParseDocuments

SENTENCE = "The ferry crosses the strait between the islands every hour of the day. "


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """Settings of a private server whose transactions may use 2 MB."""
    settings = load_settings(home=tmp_path_factory.mktemp("small"), neo4j_uri="")
    build = configuration.build_neo4j_conf
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(startup, "build_neo4j_conf", lambda **arguments: build(**arguments).replace("max=512m", "max=2m"))
        Store.open(settings, embedder="toy", dimension=4).close()
    yield settings
    Hopline.stop(settings.home)


@pytest.fixture(scope="module")
def store(small: Settings) -> Iterator[Store]:
    opened = Store.open(small, embedder="toy", dimension=4)
    yield opened
    opened.close()


def add(store: Store, settings: Settings, file: Path) -> str:
    """Add a file to a collection of its name; returns the id of the collection."""
    id = collection_id(file.stem)
    add_files(store, settings, find_files([file]), Collection(id, file.stem), titles="keep", max_calls=None)
    return id


def write_rows(file: Path, rows: Mapping[str, Sequence[str]]) -> Path:
    lines = [json.dumps({"title": title, "text": text}) for title, texts in rows.items() for text in texts]
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def describe(store: Store, collection: str) -> dict[str, tuple[str, int, int]]:
    """State, number of passages that the document has, and number that are in the graph, by name."""
    text = """MATCH (d:Document {collection: $id}) RETURN d.name, d.state, d.passages,
    COUNT { MATCH (e:Evidence {document: d.id}) WHERE e.version = d.version }"""
    return {name: (state, passages, stored) for name, state, passages, stored in query(store, text, id=collection)}


def long_texts(count: int) -> list[str]:
    return [f"Number {n}. {SENTENCE * 10}" for n in range(count)]


def test_a_title_with_more_rows_than_a_transaction_can_hold_is_stored(
    store: Store, small: Settings, tmp_path: Path
) -> None:
    rows = {"Before": ["The tern is a bird."], "Long": long_texts(1000), "After": ["Slate is a rock."]}
    collection = add(store, small, write_rows(tmp_path / "rows.jsonl", rows))
    assert ParseJsonlFiles(store, small).step()
    assert describe(store, collection) == {
        "Before": ("ready", 1, 1), "Long": ("ready", 1000, 1000), "After": ("ready", 1, 1)
    }  # fmt: skip
    chain = "MATCH (a:Evidence {collection: $id})-[:NEXT]->(b) RETURN count(*)"
    assert query(store, chain, id=collection) == [[999]]
    pages = "MATCH (:Page)-[:HAS_PASSAGE]->(e:Evidence {collection: $id}) RETURN count(*)"
    assert query(store, pages, id=collection) == [[1002]]


def test_a_large_title_that_becomes_smaller_loses_the_rest(store: Store, small: Settings, tmp_path: Path) -> None:
    file = write_rows(tmp_path / "shorter.jsonl", {"Long": long_texts(1000)})
    collection = add(store, small, file)
    assert ParseJsonlFiles(store, small).step()
    write_rows(file, {"Long": long_texts(1000)[::2]})
    add(store, small, file)
    assert ParseJsonlFiles(store, small).step()
    assert describe(store, collection) == {"Long": ("ready", 500, 500)}
    assert query(store, "MATCH (e:Evidence {collection: $id}) RETURN count(*)", id=collection) == [[500]]
    remove_collection(store, collection)
    assert query(store, "MATCH (e:Evidence {collection: $id}) RETURN count(*)", id=collection) == [[0]]


def test_a_passage_that_no_transaction_can_hold_is_left_out_with_a_warning(
    store: Store, small: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch_bisection, "RESOURCE_PAUSES", (0.0, 0.0))
    rows = {"Small": ["The tern is a bird."], "Huge": ["Slate is a rock.", SENTENCE * 40_000]}
    collection = add(store, small, write_rows(tmp_path / "huge.jsonl", rows))
    assert ParseJsonlFiles(store, small).step()
    assert describe(store, collection) == {"Small": ("ready", 1, 1), "Huge": ("ready", 1, 1)}
    [[warnings]] = query(store, "MATCH (d:Document {collection: $id, name: 'Huge'}) RETURN d.warnings", id=collection)
    assert len(warnings) == 1
    assert "could not be stored" in warnings[0]
    assert "memory" in warnings[0]


class LongParser:
    """A parser that returns as many passages as the file has lines."""

    def parse(self, path: Path, name: str, on_page: object = None) -> ParsedDocument:
        texts = path.read_text().splitlines()
        pages = tuple(ParsedPage(number) for number in range(1, 11))
        return ParsedDocument(
            name, pages, tuple(ParsedPassage(text, pages=(1 + n % 10,)) for n, text in enumerate(texts))
        )


def parse_all(store: Store, settings: Settings) -> None:
    parser: Any = LongParser()
    stage = ParseDocuments(store, settings, parser)
    while stage.step():
        pass


def test_a_document_with_more_passages_than_a_transaction_can_hold_is_stored(
    store: Store, small: Settings, tmp_path: Path
) -> None:
    (tmp_path / "book.txt").write_text("\n".join(long_texts(1000)))
    (tmp_path / "note.txt").write_text("The tern is a bird.")
    collection = add(store, small, tmp_path / "book.txt")
    other = add(store, small, tmp_path / "note.txt")
    parse_all(store, small)
    assert describe(store, collection) == {"book.txt": ("ready", 1000, 1000)}
    assert describe(store, other) == {"note.txt": ("ready", 1, 1)}
    edges = "MATCH (:Page)-[:HAS_PASSAGE]->(e:Evidence {collection: $id}) RETURN count(*)"
    assert query(store, edges, id=collection) == [[1000]]


def test_a_version_that_is_added_while_a_large_document_is_written_is_parsed_next(
    store: Store, small: Settings, tmp_path: Path
) -> None:
    file = tmp_path / "changed.txt"
    file.write_text("\n".join(long_texts(1000)))
    collection = add(store, small, file)
    file.write_text("The tern is a bird.")
    write, calls = store.write, []

    def add_meanwhile(*writes: Any) -> Any:
        result = write(*writes)
        if any(name == "ingest/write_passages" for name, _ in writes):
            calls.append(len(calls))
            if len(calls) == 2:
                add(store, small, file)
        return result

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "write", add_meanwhile)
        parse_all(store, small)
    assert len(calls) > 2
    assert describe(store, collection) == {"changed.txt": ("ready", 1, 1)}
    assert query(store, "MATCH (e:Evidence {collection: $id}) RETURN e.text", id=collection) == [
        ["The tern is a bird."]
    ]


class FullSpool(JsonlSpool):
    """A spool on a disk without space."""

    def __init__(self, file: str) -> None:
        super().__init__(file)
        self._rows.execute("PRAGMA max_page_count = 1")


def test_an_error_of_the_row_spool_fails_its_file_and_not_the_worker(
    store: Store, small: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    collection = add(store, small, write_rows(tmp_path / "full.jsonl", {"Long": long_texts(100)}))
    with monkeypatch.context() as patch:
        patch.setattr(jsonl_files, "JsonlSpool", FullSpool)
        assert ParseJsonlFiles(store, small).step()
    assert not ParseJsonlFiles(store, small).step()
    [[state, problems]] = query(store, "MATCH (f:Corpus {collection: $id}) RETURN f.state, f.problems", id=collection)
    assert state == "failed"
    assert "database or disk is full" in problems[0]


def test_the_spool_raises_sqlite_errors(tmp_path: Path) -> None:
    spool = FullSpool("rows.jsonl")
    with pytest.raises(sqlite3.Error, match="full"):
        spool.load(write_rows(tmp_path / "rows.jsonl", {"Long": long_texts(100)}), max_mb=10)
    spool.close()


def test_a_lack_of_memory_is_attributed_to_the_item_that_needs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_bisection, "RESOURCE_PAUSES", (0.0, 0.0))
    done: list[int] = []
    skipped: list[tuple[int, str]] = []

    def work(batch: Sequence[int]) -> None:
        if 7 in batch:
            raise ResourceError("too little memory")
        done.extend(batch)

    process_with_bisection(range(10), work, lambda item, reason: skipped.append((item, reason)))
    assert sorted(done) == [0, 1, 2, 3, 4, 5, 6, 8, 9]
    assert skipped == [(7, "ResourceError: too little memory")]
    assert not is_outage(ResourceError("too little memory"))
    assert is_outage(EngineUnavailable("gone"))


def test_memory_that_others_use_for_a_moment_costs_no_item(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_bisection, "RESOURCE_PAUSES", (0.0, 0.0))
    attempts: list[int] = []

    def work(batch: Sequence[int]) -> None:
        attempts.extend(batch)
        if len(attempts) < 3:
            raise ResourceError("too little memory")

    process_with_bisection([1], work, lambda item, reason: pytest.fail(f"{item} was skipped: {reason}"))
    assert attempts == [1, 1, 1]


def test_a_stage_that_fails_does_not_stop_the_others() -> None:
    class Failing:
        name = "failing"

        def step(self) -> bool:
            raise ValueError("a bug")

    class Working:
        name = "working"

        def __init__(self) -> None:
            self.left = 3

        def step(self) -> bool:
            self.left -= 1
            return self.left >= 0

    first, then = Working(), Working()
    assert converge([IsolatedStage(Failing()), first], [IsolatedStage(Failing()), then], Event())
    assert (first.left < 0, then.left < 0) == (True, True)


def test_an_outage_stops_all_stages_until_it_is_over() -> None:
    class Unreachable:
        name = "unreachable"

        def step(self) -> bool:
            raise EngineUnavailable("gone")

    with pytest.raises(EngineUnavailable):
        converge([IsolatedStage(Unreachable())], [], Event())
