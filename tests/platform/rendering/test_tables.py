from collections.abc import Callable
from typing import Any

import pytest

from hopline.documents.estimate import Estimate
from hopline.documents.status import Status
from hopline.evaluation.statistics import Evaluation, Figure, StrategyFigures
from hopline.graph_explorer import Neighbourhood
from hopline.records import Document
from hopline.rendering import draw_documents, draw_estimate, draw_evaluation, draw_neighbourhood, draw_status
from hopline.rendering.tables import describe_database
from hopline.results import Node

Screens = Callable[..., Any]


def test_relationships_of_the_node_come_before_those_farther_away(screen: Screens) -> None:
    nodes = (
        Node("p", "passage", "Ada wrote it."),
        Node("e", "entity", "Ada"),
        Node("g", "page", "3"),
        Node("q", "passage", "Hers"),
    )
    edges = (("q", "MENTIONS", "e"), ("p", "MENTIONS", "e"), ("g", "HAS_PASSAGE", "p"))
    for encoding, lines in {
        "utf-8": [
            "▤ Ada wrote it. p",
            "  ─MENTIONS→ ◉ Ada e",
            "  ▯ page 3 g ─HAS_PASSAGE→",
            "  ▤ Hers q ─MENTIONS→ ◉ Ada e",
        ],
        "ascii": [
            "[=] Ada wrote it. p",
            "  -MENTIONS-> (o) Ada e",
            "  [ ] page 3 g -HAS_PASSAGE->",
            "  [=] Hers q -MENTIONS-> (o) Ada e",
        ],
    }.items():
        console = screen(encoding=encoding)
        draw_neighbourhood(Neighbourhood(nodes, edges, 3), "p", console)
        assert console.text.splitlines() == lines


def test_an_empty_list_says_how_to_add_documents(screen: Screens) -> None:
    console = screen()
    draw_documents([], console)
    assert console.text == "No documents. Add some with: hopline add PATH"


def test_a_document_with_warnings_shows_them_and_zero_counts_are_empty(screen: Screens) -> None:
    console = screen()
    draw_documents(
        [Document("d", "a.pdf", "c", state="ready", pages=3, passages=9, warnings=("page 2 has no text",))], console
    )
    assert console.text.splitlines()[1:] == ["a.pdf                 ready      3         9", "  page 2 has no text"]


def test_an_estimate_lists_unsupported_files(screen: Screens) -> None:
    console = screen()
    draw_estimate(Estimate(2, 30, 1200, 95.0, 1200, 840_000, ("photo.raw",)), console)
    lines = [line.split() for line in console.text.splitlines()]
    assert ["Tokens", "840,000"] in lines
    assert ["Time", "about", "1", "min", "35", "s"] in lines
    assert lines[-1] == ["not", "supported:", "photo.raw"]


@pytest.mark.parametrize(
    ("server", "expected"),
    [
        ({"private": True, "running": False}, "Neo4j, private, stopped (starts on demand)"),
        ({"private": True, "running": True, "version": "5.26.1", "uptime": 61.0, "memory": 5e8}, "Neo4j 5.26.1, private, uptime 1 min 1 s, 500 MB"),
        ({"private": False, "running": True, "uri": "neo4j://db:7687"}, "Neo4j, at neo4j://db:7687"),
    ],
)  # fmt: skip
def test_a_database_is_described_in_one_line(server: dict[str, Any], expected: str) -> None:
    assert describe_database(server) == expected


def test_a_status_without_collections_has_no_table(screen: Screens) -> None:
    console = screen()
    draw_status(Status(engine={"private": True, "running": True}, embedder="minilm", model="m"), console)
    assert "older version" not in console.text
    assert "Collection" not in console.text
    assert "Model      m" in console.text


def test_documents_of_an_older_version_are_counted_with_the_command_that_parses_them_again(screen: Screens) -> None:
    console = screen()
    draw_status(Status(outdated=1200), console)
    assert "1,200 parsed by an older version (parse them again with: hopline upgrade)" in " ".join(console.text.split())


def test_a_missing_metric_is_empty_and_failures_are_listed(screen: Screens) -> None:
    both = Figure(0.5, 0.25, 0.75, 4)
    first = StrategyFigures("bm25", {"R@5": both}, p50=4.4, p95=9.6, failed=1, errors={"ReplyError: [x] bad": 1})
    second = StrategyFigures(
        "gear", {"R@5": both, "EM": Figure(1.0, 1.0, 1.0, 4)}, calls=1200, tokens=9, cached_calls=30
    )
    console = screen()
    draw_evaluation(Evaluation("c", 4, 10, (first, second)), console)
    rows = [line.split() for line in console.text.splitlines()]
    assert ["R@5", "50.0", "25.0–75.0", "50.0", "25.0–75.0"] in rows
    assert ["EM", "100.0", "100.0–100.0"] in rows
    assert ["Latency", "p50", "/", "p95,", "ms", "4", "/", "10", "0", "/", "0"] in rows
    assert ["of", "these", "not", "charged", "0", "30"] in rows
    assert "bm25: 1 failed: ReplyError: [x] bad" in console.text
