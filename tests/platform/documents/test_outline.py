"""The outline of a document: its sections as a tree, with their tables and figures."""

from __future__ import annotations

from typing import Any

from hopline.documents.outline import OutlineItem, build_outline, read_outline
from hopline.ids import document_id


def row(kind: str, section: str, page: int, top: float = 0.0, number: str = "", caption: str = "") -> dict[str, Any]:
    path = section.split(" > ") if section else []
    fields = {"page": page, "top": top, "number": number, "caption": caption}
    return {"id": f"{kind} {page}", "kind": kind, "section": path, **fields}


def describe(items: tuple[OutlineItem, ...], depth: int = 0) -> list[str]:
    lines = []
    for item in items:
        lines.append(f"{'  ' * depth}{item.kind} {item.title} p. {item.page}")
        lines += describe(item.items, depth + 1)
    return lines


def test_sections_are_a_tree_with_tables_and_figures_before_the_sections_in_them() -> None:
    outline = build_outline(
        [
            row("passage", "", 1),
            row("passage", "1 Output", 1),
            row("passage", "1 Output > 1.1 Ports", 2),
            row("passage", "1 Output > 1.1 Ports", 3),
            row("passage", "2 Costs", 4),
            row("table", "1 Output", 1, 300, "1", "Table 1: Output"),
            row("figure", "1 Output > 1.1 Ports", 3, 100, "1", "Figure 1: The\nports"),
        ]
    )
    assert describe(outline) == [
        "section 1 Output p. 1",
        "  table Table 1: Output p. 1",
        "  section 1.1 Ports p. 2",
        "    figure Figure 1: The ports p. 3",
        "section 2 Costs p. 4",
    ]
    assert outline[0].items[0] == OutlineItem("table", "Table 1: Output", 1, "1", "table 1")


def test_a_section_without_passages_is_at_the_place_of_its_first_table() -> None:
    outline = build_outline(
        [
            row("passage", "1 Output", 1, 100),
            row("passage", "3 Staff", 1, 500),
            row("table", "2 Costs", 1, 300, "1", "Table 1: Costs"),
            row("table", "4 Notes", 2, 50, "2", "Table 2: Notes"),
        ]
    )
    assert [item.title for item in outline] == ["1 Output", "2 Costs", "3 Staff", "4 Notes"]


def test_parts_and_pages_of_a_table_are_listed_once_and_tables_without_a_caption_each() -> None:
    outline = build_outline(
        [
            row("table", "", 1, 0, "", "Stock (rows 1–50)"),
            row("table", "", 2, 0, "", "Stock (rows 51–100)"),
            row("table", "", 3, 0, "2", "Table 2: Ships"),
            row("table", "", 4, 0, "2", "Table 2: Ships"),
            row("table", "", 5),
            row("table", "", 6),
        ]
    )
    assert describe(outline) == [
        "table Stock p. 1",
        "table Table 2: Ships p. 3",
        "table Table p. 5",
        "table Table p. 6",
    ]


def test_a_document_without_sections_has_an_empty_outline() -> None:
    assert build_outline([row("passage", "", 1)]) == ()


def test_the_outline_is_read_from_the_evidence_in_the_graph(tiny: Any) -> None:
    graph = tiny()
    graph.passage("p", "Ferries ran.", [1, 0, 0, 0], "plan.pdf", 1, 3, section=("1 Ferries",))
    graph.figure("f", "1", "Figure 1: Ports", [1, 0, 0, 0], "plan.pdf", 2)
    graph.table("t", "2", "Cost 7", [0, 0, 1, 0], "plan.pdf", 3)
    graph.passage("other", "Loans.", [1, 0, 0, 0], "report.pdf", section=("1 Loans",))
    outline = read_outline(graph.store, document_id(graph.collection, "plan.pdf"))
    assert describe(outline) == ["figure Figure 1: Ports p. 2", "table Table 2 p. 3", "section 1 Ferries p. 1"]
    assert [item.evidence for item in outline] == [graph.id("f"), graph.id("t"), graph.id("p")]
