import pytest

from hopline.questions.analysis import analyse_question
from hopline.reader.negation import denies, find_denial, is_denied, is_of_other_year

REFUSED = "The board did not approve the loan of 1.5 million crowns on 3 March 2021."


def check_denial(question, sentence, answer):
    start = sentence.index(answer)
    return is_denied(analyse_question(question), sentence, (start, start + len(answer)))


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("When was the loan of 1.5 million crowns approved?", REFUSED, "3 March 2021"),
        ("Who opened the bridge?", "The bridge wasn't opened by Rune Salk.", "Rune Salk"),
        ("When did the Halden works make steel?", "No steel was made in 2022.", "2022"),
    ],
)
def test_a_sentence_that_denies_the_question_is_recognised(question, sentence, answer):
    assert check_denial(question, sentence, answer)


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("When was the loan approved?", "The board approved the loan on 4 May 2021.", "4 May 2021"),
        ("When was the loan not approved?", REFUSED, "3 March 2021"),
        ("Did the board approve the loan?", REFUSED, "3 March 2021"),
        ("Who opened the bridge?", "Rune Salk opened the bridge, and it was not closed again.", "Rune Salk"),
        ("How many approved the plan?", "No fewer than 40 members approved the plan.", "40"),
        ("Who designed it?", "It was designed by Odile Farrow. It did not open.", "Odile Farrow"),
    ],
)
def test_other_sentences_are_not_denials(question, sentence, answer):
    assert not check_denial(question, sentence, answer)


def test_a_sentence_of_another_year_is_recognised_only_where_the_year_is_in_the_text():
    text = "In 2021 the works made 13 750 tonnes. In 2022 no steel was made."
    question = "How many tonnes of steel were made in 2022?"
    assert is_of_other_year(analyse_question(question), "In 2021 the works made 13 750 tonnes.", text)
    assert not is_of_other_year(analyse_question(question), "In 2022 no steel was made.", text)
    assert not is_of_other_year(
        analyse_question(question), "In 2021 the works made 13 750 tonnes.", "In 2021 the works made 13 750 tonnes."
    )
    assert not is_of_other_year(
        analyse_question("How much steel was made?"), "In 2021 the works made 13 750 tonnes.", text
    )


def test_a_denied_amount_of_the_year_of_the_question_is_found():
    sentences = ("In 2021 the works made 13 750 tonnes of steel.", "In 2022 no steel was made.")
    text = " ".join(sentences)
    spans = [(0, len(sentences[0])), (len(sentences[0]) + 1, len(text))]
    span = find_denial(analyse_question("How many tonnes of steel were made in 2022?"), text, spans)
    assert span is not None
    assert text[slice(*span)] == "no steel"
    assert find_denial(analyse_question("How many tonnes of steel were made in 2021?"), text, spans) is None
    assert find_denial(analyse_question("Who made steel in 2022?"), text, spans) is None


def test_a_sentence_that_denies_a_yes_or_no_question_is_recognised():
    assert denies(analyse_question("Do the gift cards expire?"), "Our gift cards do not expire.")
    assert not denies(analyse_question("Do the gift cards expire?"), "Our gift cards expire after a year.")
    assert not denies(analyse_question("Do the cards not expire?"), "Our gift cards do not expire.")
