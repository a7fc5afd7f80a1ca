"""Questions for a section are answered from what is below its heading."""

from hopline.answers.section_scope import are_all_in_sections, restrict_to_sections
from hopline.questions.analysis import analyse_question
from hopline.results import EvidencePath, Node, PathStep, Retrieval


def restrict(question, *evidence, looked_up=()):
    page = Node("g", "page", "report.pdf p. 1")
    paths = tuple(
        EvidencePath(item.id, page, (PathStep(page, "HAS_PASSAGE", Node(item.id, "passage")),))
        for item in evidence
        if item.id in looked_up
    )
    retrieval = restrict_to_sections(analyse_question(question), Retrieval(question, "hopline", "c", evidence, paths))
    return [item.id for item in retrieval.evidence]


def test_only_the_evidence_of_the_section_is_read(passage):
    evidence = [
        passage(id, "A fee is due.", section=[heading]) for id, heading in (("a", "2 Boats"), ("b", "III. Fees"))
    ]
    assert restrict("What is the fee in chapter three?", *evidence) == ["b"]
    assert restrict("What is the fee in chapter 9?", *evidence) == ["a", "b"]
    assert restrict("What is the fee?", *evidence) == ["a", "b"]


def test_of_equal_numbers_that_of_the_document_is_meant_which_the_question_names(passage):
    evidence = [passage(id, "A fee is due.", section=["3 Fees"], document=f"{id}.pdf") for id in ("a", "b")]
    assert restrict("What is the fee in chapter 3 of b?", *evidence, looked_up={"b"}) == ["b"]


def test_the_question_is_read_without_the_number_of_the_section(passage):
    question = analyse_question("According to chapter three, what is the fee?")
    assert question.without_sections().text == "What is the fee?"
    assert analyse_question("What is the fee in § 4?").without_sections().text == "What is the fee?"
    inside = Retrieval("", "hopline", "c", (passage("a", "A fee.", section=["3 Fees"]),), ())
    assert are_all_in_sections(question, inside)
    assert not are_all_in_sections(question, Retrieval("", "hopline", "c", (passage("a", "A fee."),), ()))
