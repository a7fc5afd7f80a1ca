"""Answers from tables that were not understood."""

from dataclasses import replace

from hopline.answers.composition import demote_answer_of_unclear_table
from hopline.results import Answer, Citation, EvidencePath, Node, Retrieval, Sentence

QUESTION = "What is the weight of the Ada?"


def make_answer(*evidence):
    paths = [EvidencePath(item.id, Node(item.id, item.kind, item.id)) for item in evidence]
    cited = tuple(
        Citation(item, item.text, 0, len(item.text), path) for item, path in zip(evidence, paths, strict=True)
    )
    return Answer(QUESTION, (Sentence("Ada: 4 t", cited),), Retrieval(QUESTION, "s", "c", evidence), short="4 t")


def test_an_answer_from_a_table_without_headers_is_possible_and_says_why(table, answer):
    clear = table("t1", "Boats", ("Boat", "Weight (t)", "Length (m)"), ("Ada", "4", "9"), ("Bo", "6", "12"))
    unclear = table("t1", "Boats", ("Boat", "", "Weight (t)"), ("Ada", "4", "9"), ("Bo", "6", "12"))
    assert (answer(QUESTION, clear).short, answer(QUESTION, clear).short_quoted) == ("4 t", True)
    shown = answer(QUESTION, replace(unclear, pages=(3,)))
    assert shown.status == "possible"
    assert shown.notice == (
        "The table (report.pdf p. 3) is not understood: most columns of values have no header. Check the page."
    )


def test_an_answer_that_a_sentence_supports_too_stays_sure(table, passage):
    unclear = table("t1", "Boats", ("Boat", "", ""), ("Ada", "4", "9"), ("Bo", "6", "12"))
    assert demote_answer_of_unclear_table(make_answer(unclear)).abstained
    assert not demote_answer_of_unclear_table(make_answer(unclear, passage("p1", "The Ada weighs 4 t."))).abstained
