import pytest

from hopline.answering.question import Question, Term, read_question


def term(question: Question, text: str) -> Term:
    found = [one for one in question.terms if one.text == text]
    assert found, [one.text for one in question.terms]
    return found[0]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Who founded Halcyon?", "person"),
        ("Which bank financed the ferry?", "organisation"),
        ("Where is the Heron Point Research Station?", "place"),
        ("In which state does he live?", "place"),
        ("When was the quay inspected?", "date"),
        ("What year did the plant open?", "date"),
        ("How long does the crossing take?", "duration"),
        ("How many passengers did MV Guillemot carry in 2024?", "number"),
        ("How high is the tank?", "number"),
        ("What was the maximum adsorption capacity?", "number"),
        ("How much did the ferry cost?", "money"),
        ("What was the revenue of Adobe in 2022?", "money"),
        ("How much water does the tank hold?", "number"),
        ("What percentage of the dye was removed?", "percent"),
        ("Why was the crane closed?", "reason"),
        ("How is the water desalinated?", "manner"),
        ("Does the gift card expire?", "yesno"),
        ("Which enzyme was used?", "other"),
    ],
)
def test_the_kind_of_thing_asked_for_is_told_by_the_question_word_and_its_noun(text: str, kind: str) -> None:
    assert read_question(text).kind == kind


def test_the_words_of_a_name_are_one_term_and_a_possessive_ends_it() -> None:
    question = read_question("How much revenue did Adobe's Document Cloud make in fiscal 2021?")
    assert term(question, "Adobe").role == "name"
    assert len(term(question, "Document Cloud").words) == 2


def test_an_initial_and_an_ampersand_stay_within_a_name() -> None:
    question = read_question("When did Mary N. Dillon join Johnson & Johnson?")
    assert {"Mary N Dillon", "Johnson Johnson"} <= {one.text for one in question.terms}


def test_names_and_numbers_are_needed_and_question_words_are_no_terms() -> None:
    question = read_question("How many stores did Best Buy have in Yukon in 2023?")
    assert {one.text for one in question.terms if one.need} == {"stores", "Best Buy", "Yukon", "2023"}


def test_a_noun_that_only_names_the_kind_is_not_needed() -> None:
    question = read_question("On what date did Amcor sell its business in Russia?")
    assert question.plain
    assert term(question, "date").need == 0
    assert term(question, "sell").need > 0


def test_what_only_says_where_to_look_is_not_needed() -> None:
    assert term(read_question("Who manages Public Enemy, according to Free Culture?"), "Free Culture").need == 0
    assert term(read_question("How many layoffs does the WARN report list?"), "WARN").need == 0


def test_a_personal_noun_asks_for_a_person() -> None:
    assert read_question("Who was the judge who fined MP3.com?").personal
    assert not read_question("Who bought the plants in Russia?").personal


def test_an_acronym_keeps_its_letters() -> None:
    assert term(read_question("What is the MAPE of enrolment?"), "MAPE").acronym == "mape"
    assert term(read_question("What stake does JnJ own?"), "JnJ").acronym == "jj"


def test_a_question_without_capitals_still_has_its_terms() -> None:
    assert {"founded", "halcyon"} <= {one.text for one in read_question("who founded halcyon").terms}


@pytest.mark.parametrize("text", ["", "   ", "?!", "the of and", "谁创立了公司", "من أسس الشركة؟", "who " * 5000])
def test_any_text_can_be_read(text: str) -> None:
    question = read_question(text)
    assert len(question.text) <= 2000
