"""Documents that contradict each other, read with the included reader."""

import pytest


@pytest.fixture(scope="module")
def harbour(passage):
    """A handbook, and a later order that changes two of its fees."""
    return (
        passage(
            "fees",
            "The visitor's fee is £2.40 per metre and night.",
            "The fee for the crane is £18 per lift.",
            document="holm-harbour.md",
            title="Holm Harbour, edition of April 2022",
        ),
        passage(
            "order",
            "In the handbook of Holm Harbour the visitor's fee is raised to 2.95 pounds per metre and night from 1 May 2023.",
            document="amending-order.txt",
            title="Amending order",
        ),
    )


def test_two_documents_with_different_values_are_both_shown_the_later_one_first(answer, harbour):
    result = answer("What is the visitor's fee per metre and night in Holm Harbour?", *harbour)
    assert result.status == "possible"
    assert result.short == "2.95 pounds (1 May 2023); £2.40 (April 2022)"
    assert [sentence.citations[0].document for sentence in result.nearest] == ["amending-order.txt", "holm-harbour.md"]
    assert result.notice.endswith("The first one is later.")
    assert result.short_quoted


def test_a_value_that_only_one_document_gives_is_answered(answer, harbour):
    result = answer("What is the fee for the crane in Holm Harbour?", *harbour)
    assert (result.status, result.short) == ("answered", "£18 per lift")


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("What was the visitor's fee per metre and night in Holm Harbour before May 2023?", "£2.40"),
        ("What was the visitor's fee per metre and night in Holm Harbour in 2022?", "£2.40"),
        ("What is the visitor's fee per metre and night in Holm Harbour now?", "2.95 pounds"),
        ("What is the visitor's fee per metre and night in Holm Harbour since June 2023?", "2.95 pounds"),
        (
            "According to the amending order, what is the visitor's fee per metre and night in Holm Harbour?",
            "2.95 pounds",
        ),
        ("What was the visitor's fee per metre and night in Holm Harbour in the edition of April 2022?", "£2.40"),
    ],
)
def test_a_question_for_a_time_or_a_document_is_answered_by_its_value(answer, harbour, question, short):
    result = answer(question, *harbour)
    assert result.status != "not_found"
    assert result.short == short
