import pytest

from hopline.questions.part_references import resolve_part
from hopline.questions.parts import split_parts


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "When was Varrow Water founded and how many people work there?",
            ("When was Varrow Water founded?", "How many people work at Varrow Water?"),
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
        ("Who approved the plan and when?", ("Who approved the plan?", "When was the plan approved?")),
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
        (
            "What were Adobe's total revenue and operating income in 2022?",
            ("What were Adobe's total revenue in 2022?", "What were Adobe's operating income in 2022?"),
        ),
        (
            "What are the date, arena, and location for the final?",
            ("What are the date for the final?", "What are arena for the final?", "What are location for the final?"),
        ),
        (
            "How many votes and seats did the Union Party win in 1911?",
            ("How many votes did the Union Party win in 1911?", "How many seats did the Union Party win in 1911?"),
        ),
        (
            "Who were the winner and runner up in 1911?",
            ("Who were the winner in 1911?", "Who were runner up in 1911?"),
        ),
        (
            "What was Varrow's most expensive and least expensive bridge?",
            ("What was Varrow's most expensive bridge?", "What was Varrow's least expensive bridge?"),
        ),
        (
            "Which candidates placed third and fourth in the election?",
            ("Which candidates placed third in the election?", "Which candidates placed fourth in the election?"),
        ),
        (
            "On what dates did Sunderland Stadium and Yarmouth Stadium open?",
            ("On what dates did Sunderland Stadium open?", "On what dates did Yarmouth Stadium open?"),
        ),
        (
            "Who are the people that won the silver medal and the bronze medal, respectively?",
            ("Who are the people that won the silver medal?", "Who are the people that won the bronze medal?"),
        ),
        (
            "In the 1929 report, how many bridges were counted and what was the longest one?",
            (
                "In the 1929 report, how many bridges were counted?",
                "In the 1929 report, what was the longest one?",
            ),
        ),
        (
            "How many voters were there in the election and how many of them voted by post?",
            ("How many voters were there in the election?", "How many of the voters in the election voted by post?"),
        ),
        (
            "Who won the 1945 election and how many seats did they win?",
            ("Who won the 1945 election?", "How many seats did they win?"),
        ),
        (
            "How many fires started on-site and how many off-site?",
            ("How many fires started on-site?", "How many fires started off-site?"),
        ),
        (
            "How many votes did the Slate Party win in 1911 and how many seats?",
            ("How many votes did the Slate Party win in 1911?", "How many seats did the Slate Party win in 1911?"),
        ),
        (
            "How many people were hurt and how many killed in the fire of 1911?",
            ("How many people were hurt in the fire of 1911?", "How many people were killed in the fire of 1911?"),
        ),
        (
            "What ratio results in the example, and up to what value is a ratio good?",
            ("What ratio results in the example?", "Up to what value is a ratio good?"),
        ),
        (
            "Does the lease allow pets, and how much is the pet deposit?",
            ("Does the lease allow pets?", "How much is the pet deposit?"),
        ),
        (
            "Which ferry sails to Osk and how long does it take?",
            ("Which ferry sails to Osk?", "How long does it take?"),
        ),
        (
            "In Osk, what share of the rent and what share of the taxes does the State pay?",
            (
                "In Osk, what share of the rent does the State pay?",
                "In Osk, what share of the taxes does the State pay?",
            ),
        ),
        ("Who was the engineer and what did he build?", ("Who was the engineer?", "What did the engineer build?")),
        (
            "Who is Aron Vale and what did he build from 1990-1999 (with Orre)?",
            ("Who is Aron Vale?", "What did Aron Vale build from 1990-1999 (with Orre)?"),
        ),
    ],
)
def test_a_question_is_split_into_one_question_for_each_thing(question: str, parts: tuple[str, ...]) -> None:
    first, *others = split_parts(question)
    assert (first, *(resolve_part(other, first)[0] for other in others)) == parts


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
        "When did Vale and Sons open?",
        "What was the total of revenue and income?",
        "What was the total number of the ships and the boats?",
        "Which group has the largest and most modern ships?",
        "The cities of Halm and Orre are a part of which state?",
        "How many causes of storms did Vale and Orre find?",
        "List the contents of page ten of the Johnson & Johnson report",
        "In which years were Adobe and Figma members of the same group?",
        "and",
        "",
    ],
)
def test_a_question_for_one_thing_is_not_split(question: str) -> None:
    assert split_parts(question) == (question,)


def test_names_that_a_text_joins_are_one_name() -> None:
    question = "What are the duties of the Secretary of Health and Human Services?"
    assert len(split_parts(question)) == 2
    assert split_parts(question, ["The Secretary of Health & Human Services appoints them."]) == (question,)
