"""Which sentences and cells are about the identifier of a question."""

import pytest

from hopline.questions.analysis import analyse_question
from hopline.reader.identifiers import is_about_other_identifier
from hopline.results import Evidence
from hopline.tables.grid import render_table


def is_other(question, answer, text, **fields):
    start = text.index(answer)
    evidence = Evidence("e", "passage", 1.0, text, **fields)
    return is_about_other_identifier(analyse_question(question), evidence, start, start + len(answer))


TWO = "The kit XR200 costs 56 euros and the kit XR210 costs 71 euros."


@pytest.mark.parametrize(
    ("question", "answer", "text", "wanted"),
    [
        ("What does the kit XR210 cost?", "71 euros", TWO, False),
        ("What does the kit XR210 cost?", "56 euros", TWO, True),
        ("What does the kit XR210 cost?", "71 euros", "It is 56 euros for XR200 and 71 euros for XR210.", False),
        ("What do E10 and E13 mean?", "a leak", "E10, E11 and E12 mean a leak.", False),
        ("What does E13 mean?", "a leak", "E10, E11 and E12 mean a leak.", True),
        ("What helps with F28?", "Open the tap", "F28 means no flame. Open the tap.\nF29 means no gas.", False),
        ("What helps with F29?", "Open the tap", "F28 means no flame. Open the tap.\nF29 means no gas.", True),
        ("What helps with F29?", "Call us", "F28 means no flame.\nCall us at any time.", False),
        ("What is the price?", "71 euros", TWO, False),
    ],
)
def test_the_clause_or_else_the_paragraph_names_the_identifier(question, answer, text, wanted):
    assert is_other(question, answer, text) == wanted


@pytest.mark.parametrize(("code", "wanted"), [("E2210", False), ("E2211", True)])
def test_a_heading_names_the_identifier_of_the_text_below(code, wanted):
    below = {"text": "The valve does not open.", "section": ("Errors", "E2210")}
    assert is_other(f"What does {code} mean?", "valve", **below) == wanted


def test_a_heading_precedes_an_identifier_that_the_text_only_mentions():
    text = "Close the tap. Where the display also shows E2211, wait."
    assert not is_other("What helps with E2210?", "wait", text, section=("E2210",))


@pytest.mark.parametrize(
    ("question", "cell", "wanted"),
    [
        ("What is the stock of P-12?", "14", False),
        ("What is the stock of P-12?", "7", True),
        ("How heavy is the XR210?", "9 kg", False),
        ("How heavy is the XR210?", "8 kg", True),
    ],
)
def test_the_row_or_the_header_of_the_column_names_the_identifier(question, cell, wanted):
    stock = (("Part", "Stock"), ("P-12", "14"), ("P-13", "7"))
    kits = (("", "XR200", "XR210"), ("Weight", "8 kg", "9 kg"))
    cells = stock if "P-12" in question else kits
    table = render_table(cells)[0]
    start = table.index(f" {cell} ") + 1
    evidence = Evidence("t", "table", 1.0, table, cells=cells)
    assert is_about_other_identifier(analyse_question(question), evidence, start, start + len(cell)) == wanted
