from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from rich.cells import cell_len
from rich.text import Text

from hopline.records import Box
from hopline.rendering import draw_answer, draw_comparison, draw_retrieval, format_draft
from hopline.rendering.paths import path_lines
from hopline.rendering.symbols import to_ascii
from hopline.results import (
    Answer,
    AnswerDraft,
    Citation,
    Evidence,
    EvidenceGraph,
    EvidencePath,
    Node,
    PathStep,
    Retrieval,
    Sentence,
    Trace,
    TraceStep,
)
from hopline.results.labels import build_outline

Screens = Callable[..., Any]

PLANT, OPERATOR = Node("e1", "entity", "Brackwater Plant"), Node("e2", "entity", "Varrow Water Company")
FIRST = Evidence("p1", "passage", 0.9, "Run by Varrow Water.", "review.pdf", pages=(1,), section=("1 The plant",))
SECOND = Evidence(
    "p2", "passage", 0.8, "Varrow Water was founded by Maud Kerrigan.", "a-rather-long-lending-report-2024.pdf",
    pages=(3, 4), boxes=(Box(4, 0, 0, 9, 9),), lines=((0, 42),),
)  # fmt: skip
TABLE = Evidence("t1", "table", 0.5, "| year | 2023 |", "review.pdf", pages=(2,), number="2", caption="Output")
HOPS = EvidencePath(
    "p2", PLANT,
    (PathStep(PLANT, "MENTIONS", Node("p1", "passage", "Run by…")), PathStep(Node("p1", "passage"), "MENTIONS", OPERATOR),
     PathStep(OPERATOR, "MENTIONS", Node("p2", "passage"))),
)  # fmt: skip
DIRECT = EvidencePath("t1", Node("t1", "table", "Output"))
TRACE = Trace((TraceStep("search", "evidence", 4.0, 10), TraceStep("fetch", "gnn_ret/neighbours", 8.0, 3)))
RETRIEVAL = Retrieval("Who founded the operator?", "gnn_ret", "samples", (SECOND, FIRST, TABLE), (HOPS, DIRECT), TRACE)
CITED = Citation(SECOND, "founded by Maud Kerrigan", 17, 41, HOPS)
ANSWER = Answer(RETRIEVAL.question, (Sentence("Maud Kerrigan did.", (CITED,)),), RETRIEVAL, short="Maud Kerrigan")


def test_an_answer_is_drawn_with_its_source_and_the_path_over_two_documents(screen: Screens) -> None:
    console = screen()
    draw_answer(ANSWER, console)
    assert (
        console.text
        == """\
Who founded the operator?

Maud Kerrigan did. [1]

[1] a-rather-long-lending-report-2024.pdf · p. 4
    “founded by Maud Kerrigan”

[1]
  ◉ Brackwater Plant ─MENTIONS─ ▤ review.pdf p. 1
    ─MENTIONS─ ◉ Varrow Water Company
    ─MENTIONS─ ▤ a-rather-long-lending-report-2024.pdf p. 3

gnn_ret · samples · 3 evidence · 2 requests in 12 ms"""
    )


@pytest.mark.parametrize(("uncertain", "shown"), [(False, "uncertain statement"), (True, "Orre owns it (uncertain)")])
def test_what_an_uncertain_triple_states_is_only_printed_on_request(
    screen: Screens, uncertain: bool, shown: str
) -> None:
    triple, passage = Node("r1", "triple", "Orre owns it", 0.41), Node("p2", "passage")
    path = EvidencePath("p2", triple, (PathStep(triple, "STATES", passage),))
    retrieval = replace(RETRIEVAL, paths=(path,))
    cited = replace(CITED, path=path)
    answer = replace(ANSWER, retrieval=retrieval, sentences=(Sentence("Maud Kerrigan did.", (cited,)),))
    answered, retrieved = screen(), screen()
    draw_answer(answer, answered, uncertain=uncertain)
    draw_retrieval(retrieval, retrieved, uncertain=uncertain)
    assert f"◆ {shown}" in answered.text
    assert f"◆ {shown}" in retrieved.text


def test_every_symbol_of_an_answer_has_an_ascii_replacement(screen: Screens) -> None:
    console = screen(encoding="ascii")
    draw_answer(ANSWER, console)
    assert "  (o) Brackwater Plant -MENTIONS- [=] review.pdf p. 1" in console.text
    assert '"founded by Maud Kerrigan"' in console.text


def test_a_model_error_is_shown_above_the_answer(screen: Screens) -> None:
    console = screen(width=200)
    draw_answer(replace(ANSWER, model_error="model 'tiny' answered HTTP 401:\nno such key."), console)
    lines = console.text.splitlines()
    notice = "The language model could not be used: model 'tiny' answered HTTP 401: no such key. "
    assert lines[2] == f"{notice}The answer is extracted from the passages."
    assert lines[4] == "Maud Kerrigan did. [1]"


def test_a_short_answer_that_the_sentences_lack_is_drawn_above_them(screen: Screens) -> None:
    console = screen()
    draw_answer(replace(ANSWER, short="yes", short_quoted=False), console)
    assert console.text.splitlines()[2:4] == ["yes (concluded, not quoted)", "Maud Kerrigan did. [1]"]


def test_possible_answers_to_other_parts_are_drawn_below_the_answer(screen: Screens) -> None:
    console = screen()
    nearest = (replace(ANSWER.sentences[0], text="Perhaps in 1987."),)
    draw_answer(replace(ANSWER, nearest=nearest, notice="Not sure: When?"), console)
    lines = console.text.splitlines()
    assert lines[lines.index("Maud Kerrigan did. [1]") + 1] == "Not sure: When?"
    assert "Perhaps in 1987." in console.text


def test_the_footer_names_the_model_that_wrote_the_answer(screen: Screens) -> None:
    console = screen()
    draw_answer(replace(ANSWER, written_by="tiny"), console)
    assert console.text.splitlines()[-1].startswith("gnn_ret · samples · 3 evidence · written by tiny · 2 requests")


def test_the_footer_has_the_confidence_of_the_reader(screen: Screens) -> None:
    console = screen()
    draw_answer(replace(ANSWER, written_by="reader", confidence=0.724), console)
    assert "3 evidence · confidence 72 % · 2 requests" in console.text.splitlines()[-1]


def test_an_abstention_has_the_notice(screen: Screens) -> None:
    console = screen()
    draw_answer(replace(ANSWER, sentences=(), abstained=True, notice="The reader reads English."), console)
    assert "The reader reads English." in console.text.splitlines()


def test_nodes_of_a_path_to_added_evidence_are_labelled_by_their_location(screen: Screens) -> None:
    retrieval = replace(RETRIEVAL, evidence=(TABLE,), paths=(DIRECT,))
    console = screen()
    draw_answer(
        replace(ANSWER, retrieval=retrieval, additional_evidence=(SECOND, FIRST), additional_paths=(HOPS,)), console
    )
    assert "◉ Brackwater Plant ─MENTIONS─ ▤ review.pdf p. 1" in console.text
    assert "gnn_ret · samples · 1 evidence · 2 added for the answer · 2 requests" in console.text


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
@pytest.mark.parametrize("width", [40, 60, 80])
def test_no_line_of_an_answer_is_wider_than_the_terminal(screen: Screens, width: int, encoding: str) -> None:
    console = screen(width, encoding=encoding)
    draw_answer(ANSWER, console)
    draw_retrieval(RETRIEVAL, console)
    draw_comparison({"gnn_ret": RETRIEVAL, "bm25": RETRIEVAL}, console)
    assert max(cell_len(line) for line in console.text.splitlines()) <= width


def test_brackets_in_a_document_are_not_markup(screen: Screens) -> None:
    console = screen()
    odd = Evidence("p", "passage", 1.0, "[red]see [1][/red]", "[b].pdf", pages=(1,))
    draw_answer(Answer("[link]?", (Sentence("[i]x", (Citation(odd, odd.text, 0, 18),)),), RETRIEVAL), console)
    for text in ("[link]?", "[i]x [1]", "[1] [b].pdf · p. 1", "“[red]see [1][/red]”"):
        assert text in console.text


def test_an_abstention_names_the_missing_terms_and_the_nearest_passages(screen: Screens) -> None:
    console = screen()
    draw_answer(Answer("Who sold it?", (), RETRIEVAL, abstained=True, missing=("sold", "1843")), console)
    assert "Not found in samples." in console.text
    assert "Terms without a match: sold, 1843." in console.text
    assert "  review.pdf · p. 1 · 1 The plant" in console.text
    assert "─MENTIONS─" not in console.text


def test_an_abstention_shows_the_nearest_sentences_in_place_of_passages(screen: Screens) -> None:
    console = screen()
    nearest = (Sentence("It was sold later.", (CITED,)),)
    draw_answer(Answer("Who sold it?", (), RETRIEVAL, abstained=True, nearest=nearest), console)
    assert "Closest passages:\n  “It was sold later.”\n    a-rather-long" in console.text
    assert "Nearest passages" not in console.text


def test_a_possible_answer_is_shown_before_the_nearest_sentences(screen: Screens) -> None:
    console = screen()
    nearest = (Sentence("It was sold in 1912.", (CITED,)), Sentence("It was old.", (CITED,)))
    draw_answer(Answer("When?", (), RETRIEVAL, abstained=True, nearest=nearest, confidence=0.2), console)
    assert "Possible answer (not sure: check it in the source):\nIt was sold in 1912. [1]\n" in console.text
    assert "Closest passages:\n  “It was old.”" in console.text
    assert "Not found" not in console.text


WRITTEN = (
    Sentence("**Nordvik** has:", (CITED,)),
    Sentence("- a loan", (replace(CITED, claimed="a loans"),), "similar"),
    Sentence("- 106,400 shares", (CITED,), "computed", "918,400 − 812,000 = 106,400"),
    Sentence("- a <ship>", (), "unsupported"),
)


def test_the_answer_of_a_model_has_lists_and_the_state_of_each_sentence(screen: Screens) -> None:
    console = screen()
    draw_answer(Answer("q", WRITTEN, RETRIEVAL, written_by="tiny"), console)
    assert (
        "Nordvik has: [1]\n\n- a loan [2] (quote differs slightly)\n"
        "- 106,400 shares [1] (computed: 918,400 − 812,000 = 106,400)\n- a <ship> (not found in the sources)\n"
    ) in console.text
    assert "The model quoted: “a loans”" in console.text


def test_a_possible_answer_of_a_model_is_shown_whole(screen: Screens) -> None:
    console = screen()
    answer = Answer("q", (), RETRIEVAL, abstained=True, nearest=WRITTEN[2:], confidence=0.15, written_by="tiny")
    draw_answer(answer, console)
    assert "Possible answer (not sure: check it in the source):\n- 106,400 shares [1] (computed:" in console.text
    assert "- a <ship> (not found in the sources)" in console.text
    assert "Closest passages" not in console.text


def test_a_draft_has_marks_for_verified_sentences_and_the_text_of_the_next_one(screen: Screens) -> None:
    draft = format_draft(AnswerDraft(WRITTEN[:2], "And mo"), screen())
    assert draft.plain == "Nordvik has: ✓\n\n- a loan ✓ (quote differs slightly)\n\nAnd mo"
    long = AnswerDraft((), "word " * 5000)
    assert len(format_draft(long, screen()).plain.splitlines()) <= screen().height


def test_a_sentence_with_a_figure_that_is_in_no_source_is_marked_and_citations_of_one_path_share_it(
    screen: Screens,
) -> None:
    console = screen()
    other = Citation(SECOND, "Varrow Water", 0, 12, HOPS)
    answer = Answer("q", (Sentence("a", (CITED,)), Sentence("b", (other,), state="unsupported")), RETRIEVAL)
    draw_answer(answer, console)
    assert "a [1] b [2] (not confirmed by the cited sources)" in console.text
    assert "[1][2]\n  ◉ Brackwater Plant" in console.text
    assert console.text.count("◉ Brackwater Plant") == 1


def test_a_retrieval_is_drawn_best_first_with_scores_and_paths(screen: Screens) -> None:
    console = screen()
    draw_retrieval(RETRIEVAL, console)
    text = console.text
    assert (
        text.index(" 1 a-rather-long")
        < text.index(" 2 review.pdf · p. 1")
        < text.index(" 3 review.pdf · p. 2 · Table 2")
    )
    assert "p. 2 · Table 2  0.500, found directly" in text
    assert "   ◉ Brackwater Plant ─MENTIONS─ ▤ review.pdf p. 1\n" in text


def test_a_path_is_one_line_where_there_is_room() -> None:
    [line] = path_lines(HOPS, {"p1": "review.pdf p. 1", "p2": "loans.pdf p. 3"}, width=200)
    assert line.plain == (
        "◉ Brackwater Plant ─MENTIONS─ ▤ review.pdf p. 1 ─MENTIONS─ ◉ Varrow Water Company ─MENTIONS─ ▤ loans.pdf p. 3"
    )


def test_a_node_without_a_name_is_labelled_by_its_id() -> None:
    [line] = path_lines(EvidencePath("x", Node("x", "passage")), {}, width=80)
    assert line.plain == "▤ x found directly"


def test_a_long_name_ends_in_an_ellipsis_and_fits_the_line() -> None:
    seed = Node("e", "entity", "An entity whose name goes on and on and on and on for ever")
    path = EvidencePath("p", seed, (PathStep(seed, "MENTIONS", Node("p", "passage", "W" * 70)),))
    lines = path_lines(path, {}, width=36)
    assert all(line.cell_len <= 36 for line in lines)
    assert all(line.plain.endswith("…") for line in lines)


def test_a_comparison_lists_rankings_side_by_side_and_marks_unique_evidence(screen: Screens) -> None:
    other = Retrieval("q", "bm25", "samples", (TABLE, FIRST), trace=TRACE)
    console = screen(120)
    draw_comparison({"gnn_ret": RETRIEVAL, "bm25": other}, console)
    rows = [line.split() for line in console.text.splitlines()]
    assert rows[0] == ["gnn_ret", "bm25"]
    assert rows[1] == ["1", SECOND.document, "·", "pp.", "3–4", "*", "review.pdf", "·", "p.", "2", "·", "Table", "2"]
    assert rows[2] == ["2", *["review.pdf", "·", "p.", "1", "·", "1", "The", "plant"] * 2]
    assert ["12", "ms", "12", "ms"] in rows


def test_a_style_stays_on_its_characters_if_a_replacement_is_longer() -> None:
    text = to_ascii(Text.assemble(("▤ ", "blue"), "name ", ("…", "dim")))
    assert text.plain == "[=] name ..."
    assert {(text.plain[span.start : span.end], span.style) for span in text.spans if span.style} == {
        ("[=] ", "blue"),
        ("...", "dim"),
    }


GRAPH = EvidenceGraph(
    (Node("p1", "passage"), Node("t1", "table"), Node("p2", "passage")),
    (("", "p1"), ("p1", "p2"), ("", "t1"), ("t1", "p2")),
)


def test_an_evidence_graph_is_an_outline_that_expands_each_node_once(screen: Screens) -> None:
    console = screen()
    draw_retrieval(replace(RETRIEVAL, graph=GRAPH), console)
    lines = console.text.split("Evidence graph\n")[1].splitlines()[:4]
    assert [len(line) - len(line.lstrip()) for line in lines] == [0, 2, 0, 2]
    assert "review.pdf" in lines[0]
    assert lines[1].endswith("p. 3–4") or "report" in lines[1]
    assert lines[3].rstrip().endswith("…")
    assert "Evidence graph" not in (draw_retrieval(RETRIEVAL, plainly := screen()), plainly.text)[1]


def test_an_outline_of_an_empty_graph_is_empty_and_of_a_broken_one_ends() -> None:
    assert build_outline(EvidenceGraph()) == []
    broken = EvidenceGraph((Node("a", "passage"),), (("", "a"), ("a", "gone"), ("gone", "a")))
    assert [(depth, node.id, again) for depth, node, again in build_outline(broken)] == [(0, "a", False)]
