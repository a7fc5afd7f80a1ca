"""Follow-up questions, rewritten by rules and by a model with given replies."""

import pytest

from hopline.answers.follow_up import answer_follow_up, rewrite_question
from hopline.answers.turns import Turn
from hopline.errors import ModelUnavailable
from hopline.flow.requests import Ask, Fetch, Hits, Reply, Search
from hopline.results import Answer, Citation, Evidence, Retrieval, Sentence

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
        ("Who owns their pipes?", "Who owns Tidewell Utilities' pipes?"),
        ("Who founded the town of Port Ansel?", "Who founded the town of Port Ansel?"),
        ("When did Port Ansel lose its harbour?", "When did Port Ansel lose its harbour?"),
        ("How often does it rain in Port Ansel?", "How often does it rain in Port Ansel?"),
        ("And when?", "When was Tidewell Utilities founded?"),
        ("Why?", "Why was Tidewell Utilities founded?"),
    ],
)
def test_pronouns_are_replaced_by_names_and_fragments_are_completed(question, wanted):
    assert meant(question, KERRIGAN) == wanted


@pytest.mark.parametrize(
    ("before", "question", "wanted"),
    [
        ("How many passengers came in 2024?", "And in 2023?", "How many passengers came in 2023?"),
        ("What is on page 2 of the plan?", "And on page 3?", "What is on page 3 of the plan?"),
        ("What does Table 1 on page 2 show?", "What about page 7?", "What does Table 1 on page 7 show?"),
        ("From 2019 to 2024?", "And in 2023?", "From 2019 to 2024? And in 2023?"),
        ("How many came?", "And in 2023?", "How many came in 2023?"),
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
    assert meant("When was he born?", Turn("How many came?", "7")) == "How many came? When was he born?"


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


@pytest.mark.parametrize(
    ("before", "answer", "question", "wanted"),
    [
        ("Who founded the Harl Mill?", "Otto Senn", "And who runs it?", "Who runs the Harl Mill?"),
        ("Who built the hall of Osk?", "Tove Kest", "When was it sold?", "When was the hall of Osk sold?"),
        ("Who is the mayor of Osk?", "Ida Farrow", "Where does it lie?", "Where does Osk lie?"),
        ("Who founded the Harl Mill?", "Otto Senn", "And who runs the Fen Mill?", "Who runs the Fen Mill?"),
        ("Who founded the Harl Mill?", "Otto Senn", "The Brook Mill?", "Who founded the Brook Mill?"),
        ("Who founded the Harl Mill?", "Otto Senn", "Opening hours of the museum", "Opening hours of the museum"),
        ("Who founded the Harl Mill?", "Otto Senn", "How old is the pier?", "How old is the pier?"),
        (
            "Who runs the Harl Mill?",
            "Otto Senn",
            "And when does the shift start?",
            "As for the Harl Mill, when does the shift start?",
        ),
        ("What does the chess club at Osk cost?", "free", "Who leads it?", "Who leads the chess club at Osk?"),
        ("What is the weight of the P-60?", "3 t", "and its price?", "What is the price of the P-60?"),
        (
            "Which is the oldest clock in Osk?",
            "the Dunmore",
            "How heavy is it?",
            "How heavy is the oldest clock in Osk?",
        ),
        ("Which pontoon has the most water?", "A", "How long is it?", "How long is pontoon A?"),
        (
            "Who is the harbour master of Osk?",
            "Ida (since 2018)",
            "Who was it before her?",
            "Who was the harbour master of Osk before Ida?",
        ),
        ("Who are the surgeons at Osk?", "Ida, Tove", "Which of them is new?", "Which of the surgeons at Osk is new?"),
        (
            "When do the tours of the museum start?",
            "at 14:00",
            "How long do they last?",
            "How long do the tours of the museum last?",
        ),
        ("Is the pool open on Sundays?", "yes", "Is it warm then?", "Is the pool warm on Sundays?"),
        (
            "What is the name of the bull at Osk?",
            "Hector",
            "How much does he weigh?",
            "How much does the bull at Osk weigh?",
        ),
        ("Did a fox get into the coop?", "yes", "How many hens did it kill?", "How many hens did the fox kill?"),
        ("What is the rent in Osk?", "7", "Who lives there?", "Who lives in Osk?"),
        ("Who designed the Norden 5?", "Ida Lund", "When did it come out?", "When did the Norden 5 come out?"),
        ("Does the harbour sell petrol?", "no", "where can I get it?", "Where can I get petrol?"),
        ("Which is heavier, the bull or the cow?", "the bull", "How old is the other one?", "How old is the cow?"),
        ("Which mills are in Osk?", "A, B", "which one is older?", "Which of the mills that are in Osk is older?"),
        ("Where is the museum?", "Osk", "how do I get there?", "How do I get to the museum?"),
        ("Where was Ida Lund born?", "Osk", "And her brother?", "Where was Ida Lund's brother born?"),
        ("What is the budget of the film?", "6", "and its director?", "Who is the director of the film?"),
        ("What does the course cost?", "95", "How much is that?", "How much is the course?"),
        (
            "Who founded the mill?",
            "Ida",
            "How long does it take to get to Osk?",
            "How long does it take to get to Osk?",
        ),
        ("What was fixed in version 4?", "undo", "When was that version made?", "When was version 4 made?"),
        ("Which version has a dark mode?", "4.2", "When was that version made?", "When was version 4.2 made?"),
        ("Which trains stop at Osk?", "RE 5, RB 12", "Are they late?", "Which trains stop at Osk? Are they late?"),
        ("Who owns the mill?", "Ida", "How old is the other one?", "Who owns the mill? How old is the other one?"),
        ("Where was Maud Kerrigan born?", "Osk", "And her keeper?", "Where was Maud Kerrigan's keeper born?"),
        ("What is the rent in Osk?", "7", "Is there a lift?", "Is there a lift in Osk?"),
        ("What is the rent in Osk?", "7", "Is there a lift in Elm?", "Is there a lift in Elm?"),
    ],
)
def test_a_thing_of_the_last_question_is_repeated_and_a_new_question_starts_afresh(before, answer, question, wanted):
    assert meant(question, Turn(before, answer)) == wanted


def test_a_possible_answer_is_described_and_not_inserted():
    assert (
        meant("What is her room number?", Turn("Who is the director of the mill?"))
        == "What is the room number of the director of the mill?"
    )
    assert meant("How old is she?", Turn("Who founded the mill?")) == "How old is the person who founded the mill?"


def test_a_follow_up_to_a_follow_up_refers_to_the_rewritten_question():
    turns = [Turn("Who founded the Harl Mill?", "Otto Senn"), Turn("Who founded the Brook Mill?", "Klara Voss")]
    assert meant("And the Fen Mill?", *turns) == "Who founded the Fen Mill?"


def test_a_question_with_an_earlier_answer_in_it_is_not_asked_about_another_thing():
    turns = [Turn("Who is the mayor of Osk?", "Ida"), Turn("Since when is Ida the mayor of Osk?", "2015")]
    assert meant("And of Elm?", *turns) == "Since when is Ida the mayor of Osk? And of Elm?"


@pytest.mark.parametrize(
    ("question", "answer", "status"),
    [
        ("And the other one?", "Otto Senn", "possible"),
        ("And the other one?", "Klara Voss", "possible"),
        ("And the Brook Mill?", "Otto Senn", "answered"),
    ],
)
def test_an_answer_is_not_sure_where_it_is_unclear_what_the_question_means(question, answer, status):
    def answer_question(rewritten):
        return Answer(rewritten, (Sentence(answer),), Retrieval(rewritten, "s", "c"), short=answer, confidence=0.9)
        yield

    turn = Turn("Who founded the Harl Mill?", "Otto Senn")
    assert run(answer_follow_up(question, [turn], answer_question, by_model=False)).status == status


@pytest.mark.parametrize(("start", "status"), [(19, "possible"), (30, "answered")])
def test_an_answer_that_was_read_at_the_same_position_is_not_sure(start: int, status: str) -> None:
    evidence = Evidence("p1", "passage", 1.0, "Open on weekdays at 9:00, on Sundays at 9:00.", "zoo.md")

    def answer_at(question: str, start: int) -> Answer:
        citation = Citation(evidence, evidence.text, 0, len(evidence.text), answer=(start, start + 4))
        return Answer(question, (Sentence("9:00", (citation,)),), Retrieval(question, "s", "c"), short="9:00")

    def answer_question(question: str):
        return answer_at(question, start)
        yield

    turn = Turn.of(answer_at("When does the zoo open on weekdays?", 19))
    answer = run(answer_follow_up("And on Sundays?", [turn], answer_question, by_model=False))
    assert (answer.retrieval.question, answer.status) == ("When does the zoo open on Sundays?", status)
