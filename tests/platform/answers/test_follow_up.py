"""Follow-up questions, rewritten by rules and by a model with given replies."""

import pytest

from hopline.answers.follow_up import Turn, answer_follow_up, rewrite_question
from hopline.errors import ModelUnavailable
from hopline.flow.requests import Ask, Fetch, Hits, Reply, Search
from hopline.results import Answer, Retrieval, Sentence

KERRIGAN = Turn("Who founded Tidewell Utilities?", "Maud Kerrigan")
KNOWN = {"Maud Kerrigan": "PERSON", "Tidewell Utilities": "ORG", "2024": "DATE", "Port Ansel": "GPE"}


def run(flow, replies=()):
    """Run a flow: searches return the known names in the query, prompts the next of ``replies``."""
    queue, response = list(replies), None
    try:
        while True:
            request = flow.send(response)
            match request:
                case Search(query=text):
                    response = Hits(
                        tuple(name for name in KNOWN if name in text), tuple(1.0 for name in KNOWN if name in text)
                    )
                case Fetch(parameters=parameters):
                    ids = list(parameters["entities"])
                    response = {  # type: ignore[assignment]
                        "id": ids,
                        "name": ids,
                        "aliases": [[] for _ in ids],
                        "kind": [KNOWN[id] for id in ids],
                        "mentioned": [1 for _ in ids],
                    }
                case Ask():
                    reply = queue.pop(0)
                    if isinstance(reply, Exception):
                        request = flow.throw(reply)
                        continue
                    response = [reply]  # type: ignore[assignment]
    except StopIteration as stop:
        return stop.value


def meant(question, *turns, replies=(), by_model=False):
    return run(rewrite_question(question, turns, by_model=by_model), replies)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("When was she born?", "When was Maud Kerrigan born?"),
        ("What was her father's name?", "What was Maud Kerrigan's father's name?"),
        ("Where is it based?", "Where is Tidewell Utilities based?"),
        ("Who owns their pipes?", "Who owns Maud Kerrigan's pipes?"),
        ("Who founded the town of Port Ansel?", "Who founded the town of Port Ansel?"),
        ("When did Port Ansel lose its harbour?", "When did Port Ansel lose its harbour?"),
        ("How often does it rain in Port Ansel?", "How often does it rain in Port Ansel?"),
        ("And when?", "Who founded Tidewell Utilities? And when?"),
        ("Why?", "Who founded Tidewell Utilities? Why?"),
    ],
)
def test_pronouns_are_replaced_by_names_and_fragments_get_the_previous_question(question, wanted):
    assert meant(question, KERRIGAN) == wanted


@pytest.mark.parametrize(
    ("before", "question", "wanted"),
    [
        ("How many passengers came in 2024?", "And in 2023?", "How many passengers came in 2023?"),
        ("What is on page 2 of the plan?", "And on page 3?", "What is on page 3 of the plan?"),
        ("What does Table 1 on page 2 show?", "What about page 7?", "What does Table 1 on page 7 show?"),
        ("From 2019 to 2024?", "And in 2023?", "From 2019 to 2024? And in 2023?"),
        ("How many came?", "And in 2023?", "How many came? And in 2023?"),
    ],
)
def test_a_number_replaces_that_of_the_previous_question(before, question, wanted):
    assert meant(question, Turn(before, "7")) == wanted


def test_a_name_can_come_from_an_earlier_turn():
    assert (
        meant("Where did she live?", KERRIGAN, Turn("How many pumps are there?", "12"))
        == "Where did Maud Kerrigan live?"
    )


def test_an_unresolved_pronoun_prepends_the_previous_question():
    assert meant("When was he born?", Turn("Who wrote it?", "")) == "Who wrote it? When was he born?"


def test_without_turns_a_question_is_not_rewritten():
    assert meant("When was she born?") == "When was she born?"


def test_a_model_rewrites_and_rules_are_the_fallback():
    good = Reply(data={"question": " When was M. Kerrigan\nborn? "})
    assert meant("When was she born?", KERRIGAN, replies=[good], by_model=True) == "When was M. Kerrigan born?"
    for bad in (Reply(error="no JSON"), Reply(data={"question": ""})):
        assert meant("When was she born?", KERRIGAN, replies=[bad], by_model=True) == "When was Maud Kerrigan born?"
    with pytest.raises(ModelUnavailable):
        meant("When was she born?", KERRIGAN, replies=[ModelUnavailable("away")], by_model=True)


@pytest.mark.parametrize(
    ("question", "is_rewritten"),
    [
        ("Who founded Tidewell Utilities?", False),
        ("Did Kerrigan sell her company?", False),
        ("List the people that Free Culture mentions with their roles", False),
        ("Can the barley composite, by its Langmuir fit, hold more than the material of Munonde?", False),
        ("What is this document about?", False),
        ("What was the revenue of its subsidiary in Norway?", True),
        ("When was she born?", True),
        ("Who else founded Tidewell Utilities?", True),
        ("And in Port Ansel?", True),
        ("Is Tidewell Utilities older than that company?", True),
        ("What did the company earn?", True),
    ],
)
def test_a_model_rewrites_only_questions_that_are_not_complete(question: str, is_rewritten: bool) -> None:
    rewritten = meant(question, KERRIGAN, replies=[Reply(data={"question": "rewritten?"})], by_model=True)
    assert rewritten == ("rewritten?" if is_rewritten else question)


def test_a_model_reads_which_questions_had_no_answer():
    [prompt] = next(rewrite_question("When was he born?", [Turn("Who wrote it?", "")], by_model=True)).prompts
    assert prompt.startswith("Question: Who wrote it?\nAnswer: nothing was found\n")


def test_the_answer_has_the_question_and_its_retrieval_the_rewritten_one():
    def answer_question(question):
        return Answer(question, (Sentence("1961."),), Retrieval(question, "s", "c"))
        yield

    answer = run(answer_follow_up("When was she born?", [KERRIGAN], answer_question, by_model=False))
    assert (answer.question, answer.retrieval.question) == ("When was she born?", "When was Maud Kerrigan born?")


def test_a_turn_has_the_rewritten_question_and_the_short_answer():
    answer = Answer("When was she?", (Sentence("A" * 900),), Retrieval("When was Maud?", "s", "c"))
    assert Turn.of(answer) == Turn("When was Maud?", "A" * 300)
    assert Turn.of(Answer("Who?", (), Retrieval("Who?", "s", "c"), abstained=True)).answer == ""
