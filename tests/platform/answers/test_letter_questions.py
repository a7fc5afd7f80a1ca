import pytest

from hopline.answers.letter_question import LetterQuestion, parse_letter_question
from hopline.questions.analysis import analyse_question


@pytest.mark.parametrize(
    ("question", "role", "words"),
    [
        ("Who wrote the letter about the north pier?", "sender", {"north", "pier"}),
        ("Who signed the letter to Mrs. Vale?", "sender", {"mrs", "vale"}),
        ("From whom is the fax on shipment 4471?", "sender", {"shipment", "4471"}),
        ("Who is the memo about travel from?", "sender", {"travel"}),
        ("Who was the author of the memorandum?", "sender", set()),
        ("To whom was the e-mail about the pump sent?", "addressee", {"pump"}),
        ("Who is the letter about the pier addressed to?", "addressee", {"pier"}),
        ("Who did Tilda Moss write the letter to?", "addressee", {"tilda", "moss"}),
        ("Who received the memo about travel?", "addressee", {"travel"}),
        ("Who received a copy of the letter?", "copy", set()),
        ("When was the letter to Mrs. Vale written?", "date", {"mrs", "vale"}),
        ("What is the date of the fax?", "date", set()),
        ("When did Ivo Marek write to Lena Voss?", "date", {"ivo", "marek", "lena", "voss"}),
        ("What date does the letter to Mrs. Vale bear?", "date", {"mrs", "vale"}),
        ("What is the position of the sender of the letter about the pier?", "sender position", {"pier"}),
        ("In what capacity did Tilda Moss sign the letter?", "sender position", {"tilda", "moss"}),
        ("What is the job title of the person who signed the memo?", "sender position", set()),
        ("What is the position of the recipient of the letter?", "addressee position", set()),
        ("What is the name of the recipient of the letter?", "addressee", set()),
        ("What is the letter from Tilda Moss about?", "subject", {"tilda", "moss"}),
        ("What was the subject of the email from Ivo Marek?", "subject", {"ivo", "marek"}),
    ],
)
def test_a_question_for_a_role_in_a_letter_is_parsed(question: str, role: str, words: set[str]) -> None:
    assert parse_letter_question(analyse_question(question)) == LetterQuestion(role, frozenset(words))  # type: ignore[arg-type]


def test_the_sender_in_a_part_is_that_of_the_letter_of_the_whole_question() -> None:
    whole = analyse_question("Who signed the letter to Mrs. Vale and what is the position of the sender?")
    part = analyse_question("What is the position of the sender?", whole=whole)
    assert parse_letter_question(part) == LetterQuestion("sender position", frozenset({"mrs", "vale"}))
    assert parse_letter_question(analyse_question("What is the position of the sender?")) is None


@pytest.mark.parametrize(
    "question",
    [
        "Who signed the contract?",
        "Who wrote the report?",
        "What did the letter to Mrs. Vale recommend?",
        "When was the pier mentioned in the letter repaired?",
        "How many pages does the fax have?",
        "",
    ],
)
def test_other_questions_are_not_parsed(question: str) -> None:
    assert parse_letter_question(analyse_question(question)) is None
