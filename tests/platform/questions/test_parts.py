import pytest

from hopline.questions.parts import split_parts


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "When was Varrow Water founded and how many people work there?",
            ("When was Varrow Water founded?", "How many people work there?"),
        ),
        (
            "Which company operates the ferry and how old is it?",
            ("Which company operates the ferry?", "How old is the ferry?"),
        ),
        (
            "Where was Ingrid Vale born and what did she study?",
            ("Where was Ingrid Vale born?", "What did Ingrid Vale study?"),
        ),
        (
            "What is the name of the ship and who built it?",
            ("What is the name of the ship?", "Who built the ship?"),
        ),
        ("Who approved the plan and when?", ("Who approved the plan?", "When approved the plan?")),
        (
            "Why was the bridge closed, and for how long?",
            ("Why was the bridge closed?", "For how long was the bridge closed?"),
        ),
        (
            "How many people live in all of Finland and how many in the Åland islands?",
            ("How many people live in all of Finland?", "How many people live in the Åland islands?"),
        ),
        (
            "What share of the costs of A and what share of the costs of B does the State pay?",
            ("What share of the costs of A does the State pay?", "What share of the costs of B does the State pay?"),
        ),
        (
            "What were net sales and operating income in fiscal 2022?",
            ("What were net sales in fiscal 2022?", "What were operating income in fiscal 2022?"),
        ),
        ("What was the revenue in 2021 and 2022?", ("What was the revenue in 2021?", "What was the revenue in 2022?")),
        (
            "Who wrote the report, when was it published and what does it recommend?",
            ("Who wrote the report?", "When was the report published?", "What does the report recommend?"),
        ),
    ],
)
def test_a_question_is_split_into_one_question_for_each_thing(question: str, parts: tuple[str, ...]) -> None:
    assert split_parts(question) == parts


@pytest.mark.parametrize(
    "question",
    [
        "Who founded Varrow Water?",
        "What is the difference between revenue and net income?",
        "What are the terms and conditions of the loan?",
        "What were sales and marketing expenses in 2022?",
        "What is research and development?",
        "What is the average of the revenue in 2021 and 2022?",
        "By how much did revenue change between 2021 and 2022?",
        "Who was chairman and chief executive of Kenvue when it was separated?",
        "What does the research and development department do?",
        "Which group of faculties includes Theology and European studies?",
        "Did Adobe and Figma agree on a price?",
        "and",
        "",
    ],
)
def test_a_question_for_one_thing_is_not_split(question: str) -> None:
    assert split_parts(question) == (question,)
