import pytest

from hopline.answers.summary import SummaryRequest, parse_summary_request
from hopline.questions.analysis import analyse_question


@pytest.mark.parametrize(
    ("question", "section"),
    [
        ("What is this document about?", ""),
        ("What's the report all about", ""),
        ("Please summarise the paper.", ""),
        ("Give me a short summary of these documents", ""),
        ('Summarise the section "Data and Methods" of this paper.', "Data and Methods"),
    ],
)
def test_a_question_for_a_summary_is_parsed(question, section):
    assert parse_summary_request(analyse_question(question)) == SummaryRequest(section)


@pytest.mark.parametrize(
    "question",
    ["What is the report about the mills called?", "Summarise the benefits for staff.", "Who wrote this document?", ""],
)
def test_other_questions_are_none(question):
    assert parse_summary_request(analyse_question(question)) is None


@pytest.mark.parametrize(
    "question",
    [
        "Summarize section 3.",
        "What is section 2.1 about?",
        "Sum up chapter three",
        "Summarise § 4",
        "What is Annex B about?",
    ],
)
def test_a_summary_of_a_numbered_section_has_its_number(question):
    analysis = analyse_question(question)
    assert parse_summary_request(analysis) == SummaryRequest(sections=analysis.sections)
    assert len(analysis.sections) == 1
