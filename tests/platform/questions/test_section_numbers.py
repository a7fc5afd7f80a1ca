"""Numbers of the parts of documents, in questions and in headings."""

import pytest

from hopline.questions.section_numbers import find_sections, parse_heading, select_in_sections

NOTATIONS = {
    "What does chapter three say about fees?": "Chapter III: Fees",
    "What does Chapter III say?": "3. Fees",
    "What is in the 3rd chapter?": "CHAPTER THREE",
    "What is in the third chapter?": "III Fees",
    "What is in section 2.1?": "2.1 Bookings",
    "What is in section 2?": "2.1 Bookings",
    "Was steht in § 4?": "§ 4 Aufsicht",
    "What does section 4 say?": "§ 4 Supervision",
    "Was steht in Kapitel 3?": "Drittes Kapitel",
    "Que dit le chapitre trois ?": "Chapitre 3 : Tarifs",
    "¿Qué dice el capítulo tres?": "CAPÍTULO III",
    "Что сказано в главе 3?": "Глава третья. Сборы",
    "第三章说了什么?": "第3章 费用",
    "What does Article 5(2) say?": "Article 5 Fares",
    "What is in Annex B?": "ANNEX B – Forms",
    "What is in Appendix I?": "Annex 1",
    "What does Part II cover?": "Part Two",
    "What does section twenty-one say?": "21 Closing",
    "What is in section A.2?": "A.2 Tides",
    "What do chapters 2 to 4 say?": "3 Fees",
    "What do articles 3 and 6 say?": "Article 6",
}
OTHERS = {
    "What is in section 2.1?": "2.2 Safety",
    "What is in section 2.2?": "2 Cranes",
    "What does chapter 3 say?": "13 Angles",
    "What does Part II cover?": "2 Cranes",
    "What is in Annex B?": "B. Results",
    "Was steht in § 4?": "Chapter 4",
    "What does Article 5 say?": "Section 5",
    "What does chapter 2 say?": "2023 in figures",
}


@pytest.mark.parametrize("question", NOTATIONS)
def test_a_number_is_found_in_the_heading_in_whatever_notation(question):
    assert select_in_sections(find_sections(question), [["Manual", NOTATIONS[question]]]) == [True]


@pytest.mark.parametrize("question", OTHERS)
def test_another_number_or_another_kind_of_part_is_not_meant(question):
    assert select_in_sections(find_sections(question), [["Manual", OTHERS[question]], []]) == [False, False]


@pytest.mark.parametrize(
    "question",
    [
        "Which part has a fee?",
        "the part of the boat",
        "which chapter I should read",
        "an article about 5 boats",
        "Who?",
    ],
)
def test_a_question_without_a_number_of_a_part_names_none(question):
    assert find_sections(question) == []


@pytest.mark.parametrize("heading", ["I like boats", "A new quay", "2023 results", "Fees", ""])
def test_a_heading_without_a_number_has_none(heading):
    assert parse_heading(heading) is None


def test_a_part_of_a_part_has_both_numbers():
    paths = [["Chapter 3", "1 Yachts"], ["Chapter 2", "1 Cranes"], ["Chapter 3", "2 Dinghies"]]
    for question in ("What is in section 1 of chapter 3?", "What is in chapter three, section 1?"):
        assert select_in_sections(find_sections(question), paths) == [True, False, False]


def test_a_heading_of_the_same_kind_is_preferred_to_a_number_alone():
    assert select_in_sections(find_sections("chapter 2"), [["Chapter 2"], ["2 Boats"]]) == [True, False]
    assert select_in_sections(find_sections("chapter 2"), [["Chapter 1"], ["2 Boats"]]) == [False, True]


@pytest.mark.parametrize("number", ["Article 5 (2)(b)", "Art. 5(2)(b)", "§ 5 Absatz 2 (b)", "section 5, para. 2(b)"])
def test_the_numbers_in_brackets_are_those_of_paragraphs(number):
    [mention] = find_sections(f"What does {number} say?")
    assert [sorted(values) for values in mention.number.parts] == [["5"]]
    assert [sorted(values) for values in mention.number.items] == [["2"], ["b"]]
