"""Page and table references in questions, parsed by the grammar."""

import pytest

from hopline.questions.references import asks_only_references, parse_page_number, parse_references

READ = {
    "What is on page 5?": ["page 5"],
    "What does Table 2 show?": ["table 2"],
    "the difference between Page 1 and Table 2": ["page 1", "table 2"],
    "Summarise pages 3–5 and table A-2.": ["page 3", "page 4", "page 5", "table A-2"],
    "What's on pages 3, 4 and 7 of the report?": ["page 3", "page 4", "page 7"],
    "Show me the first table and the last page": ["table #1", "page #-1"],
    "What is on the 3rd page?": ["page #3"],
    "Compare table 2.1 with pp. 3-4": ["table 2.1", "page 3", "page 4"],
    "Describe Table B1, please": ["table B1"],
    "TABLES 1 TO 3": ["table 1", "table 2", "table 3"],
    "page five or page iv": ["page 5", "page iv"],
    "What does page no. 12 say?": ["page 12"],
    "Show Table II": ["table II"],
    "the first and the last page": ["page #1", "page #-1"],
    "the last two pages": ["page #-2", "page #-1"],
    "first 3 pages": ["page #1", "page #2", "page #3"],
    "the penultimate page": ["page #-2"],
    "pages VII through IX": ["page VII", "page 8", "page IX"],
    "List all the tables": ["table *"],
    "both pages of the form": ["page #1", "page #2"],
    "What does figure 3 show?": ["figure 3"],
    "Show me Fig. B-2 and charts 4 and 5": ["figure B-2", "figure 4", "figure 5"],
    "What is in Exhibit 4?": ["figure 4"],
    "What does fig. 3a show?": ["figure 3a"],
    "List all figures": ["figure *"],
    "What does the first chart show?": ["figure #1"],
}
NAMES_NOTHING = [
    "How many pages does it have?",
    "Who is on the tablet 3?",
    "the page is 5 long",
    "What is the tabled motion?",
    "Which table is the longest?",
    "Who was the page of King Olaf?",
    "What were the sales figures 2023?",
    "Are all figures audited?",
    "What was the final figure?",
    "Which figures I should see?",
    "Which figure shows the output?",
    "",
]


def describe(reference):
    return f"{reference.kind} {reference.number or f'#{reference.position}'}"


@pytest.mark.parametrize("question", READ)
def test_references_are_parsed_in_order(question):
    assert [describe(reference) for reference in parse_references(question)] == READ[question]


@pytest.mark.parametrize("question", NAMES_NOTHING)
def test_a_question_without_references_gives_none(question):
    assert parse_references(question) == []


def test_a_reference_has_its_position_in_the_question():
    question = "Compare Table 2 with page 3."
    assert [question[reference.start : reference.end] for reference in parse_references(question)] == [
        "Table 2",
        "page 3",
    ]


@pytest.mark.parametrize(
    ("question", "alone"),
    [
        ("What is on page 5?", True),
        ("What is the difference between page 1 and table 2 of the Varrow energy plan?", True),
        ("Bring up p. 47, please, and pull Table 3 as well", True),
        ("How do pages 3 and 4 differ?", True),
        ("Which lender does page 5 name?", False),
        ("What was the turnover on page 5?", False),
        ("Who signed page 3?", False),
        ("How much revenue does Table 2 give for 2021?", False),
    ],
)
def test_a_question_for_a_fact_does_not_ask_for_the_references_alone(question, alone):
    documents = ["varrow-energy-plan-2030.pdf"]
    assert asks_only_references(question, parse_references(question), documents) is alone


def test_page_numbers_are_parsed_in_all_notations():
    assert [parse_page_number(text) for text in ("7", "iv", "XII", "xl", "A-2", "")] == [7, 4, 12, 40, None, None]


@pytest.mark.parametrize(
    ("question", "references"),
    [
        ("page twenty-one", [("21", 0)]),
        ("pages twenty-one to twenty-three", [("21", 0), ("22", 0), ("23", 0)]),
        ("the second-last page", [("", -2)]),
        ("the next to last table", [("", -2)]),
        ("the last page", [("", -1)]),
        ("the 0th page", []),
    ],
)
def test_compound_number_words_and_places_before_the_last(question: str, references: list[tuple[str, int]]) -> None:
    assert [(item.number, item.position) for item in parse_references(question)] == references


@pytest.mark.parametrize(
    ("question", "alone"),
    [
        ("Was steht in § 3?", True),
        ("Was sagt Kapitel drei?", True),
        ("Que dit le chapitre deux ?", True),
        ("¿Qué dice el capítulo tres?", True),
        ("Что сказано в главе 3?", True),
        ("第二章说了什么？", True),
        ("Wer ist Vorsitzende nach § 3?", False),
        ("Quel est le tarif selon le chapitre II ?", False),
        ("Какая плата в главе 3?", False),
        ("第三章的负责人是谁？", False),
    ],
)
def test_a_question_in_another_language_for_a_section_or_for_a_fact_in_it(question, alone):
    assert asks_only_references(question, parse_references(question)) is alone
