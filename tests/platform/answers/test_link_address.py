"""Questions for the addresses of links, which are written behind their words."""

import pytest


@pytest.fixture(scope="module")
def rules(passage):
    return passage(
        "rules",
        "The membership form is on the forms page (https://club.example.org/forms/2024).",
        "The rules are in Annex B (https://club.example.org/annex-b.pdf) and Annex C (annexes/c.pdf).",
        "Questions go to https://ask.example.org.",
        "The club house is in Mill Lane.",
        document="help.md",
    )


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("Where can I find Annex B?", "https://club.example.org/annex-b.pdf"),
        ("What is the link of the forms page?", "https://club.example.org/forms/2024"),
        ("Where is the membership form?", "https://club.example.org/forms/2024"),
        ("Where can I download Annex C?", "annexes/c.pdf"),
    ],
)
def test_the_address_behind_the_words_is_the_answer(answer, rules, question, short):
    result = answer(question, rules)
    assert (result.status, result.short) == ("answered", short)
    [citation] = result.sentences[0].citations
    assert citation.evidence.text[slice(*citation.answer)] == short


@pytest.mark.parametrize("question", ["Where is the club house?", "Where can I find Annex D?", "Who has Annex B?"])
def test_other_questions_are_not_answered_by_addresses(answer, rules, question):
    assert ".pdf" not in answer(question, rules).short


def test_two_addresses_of_one_thing_are_a_possible_answer(answer, passage):
    pages = [
        passage(name, f"The lease form is here (https://{name}.example.org/lease).", document=f"{name}.md")
        for name in ("a", "b")
    ]
    assert answer("Where can I find the lease form?", *pages).status == "possible"
