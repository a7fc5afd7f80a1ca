from collections.abc import Callable
from typing import Any

import pytest

from hopline_ingest.extraction import Extraction, ExtractionInput, extract_batch

Read = Callable[..., Extraction]


@pytest.fixture
def read() -> Read:
    """Reads one passage with all rules."""

    def read_one(text: str, **fields: Any) -> Extraction:
        return extract_batch([ExtractionInput("p", "passage", text, **fields)])[0]

    return read_one


@pytest.fixture
def state_triples(read: Read) -> Callable[..., set[tuple[str, str, str]]]:
    """The triples of one passage, as plain tuples."""

    def triples(text: str, **fields: Any) -> set[tuple[str, str, str]]:
        return {(triple.subject, triple.predicate, triple.object) for triple in read(text, **fields).triples}

    return triples
