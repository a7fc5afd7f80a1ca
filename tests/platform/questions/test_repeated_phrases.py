import pytest

from hopline.questions.parts import split_parts


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "What was the tax rate of Varrow in the second quarter of 2023 and in the second quarter of 2022?",
            (
                "What was the tax rate of Varrow in the second quarter of 2023?",
                "What was the tax rate of Varrow in the second quarter of 2022?",
            ),
        ),
        (
            "How many kilos of spiny crab and of red sea urchin were landed in Halm?",
            (
                "How many kilos of spiny crab were landed in Halm?",
                "How many kilos of red sea urchin were landed in Halm?",
            ),
        ),
        (
            "What does a ticket cost for adults and for children?",
            ("What does a ticket cost for adults?", "What does a ticket cost for children?"),
        ),
        (
            "What are the warranty of the battery and that of the motor?",
            ("What are the warranty of the battery?", "What are the warranty of the motor?"),
        ),
        (
            "Which ships did Varrow buy in 2019 and in 2021?",
            ("Which ships did Varrow buy in 2019?", "Which ships did Varrow buy in 2021?"),
        ),
        (
            "What was the rate in June and July 2023?",
            ("What was the rate in June 2023?", "What was the rate in July 2023?"),
        ),
        (
            "What were the sales in the first quarter and the second quarter of 2023?",
            ("What were the sales in the first quarter of 2023?", "What were the sales in the second quarter of 2023?"),
        ),
        (
            "What is the fee for members and non-members?",
            ("What is the fee for members?", "What is the fee for non-members?"),
        ),
        (
            "What was the revenue of Varrow and Orre in 2022?",
            ("What was the revenue of Varrow in 2022?", "What was the revenue of Orre in 2022?"),
        ),
        (
            "What were Varrow's GAAP and non-GAAP operating margins in 2022?",
            (
                "What were Varrow's GAAP operating margins in 2022?",
                "What were Varrow's non-GAAP operating margins in 2022?",
            ),
        ),
        (
            "What are the gross and net weights of the P-40?",
            ("What are the gross weights of the P-40?", "What are the net weights of the P-40?"),
        ),
    ],
)
def test_a_question_is_repeated_for_each_phrase(question: str, parts: tuple[str, ...]) -> None:
    assert split_parts(question) == parts


@pytest.mark.parametrize(
    "question",
    [
        "Which player scored in 2019 and in 2021?",
        "What is the difference in price for adults and for children?",
        "What was the combined revenue of Varrow and Orre?",
        "What were the research and development costs in 2022?",
        "How much did sales grow between 2020 and 2023?",
        "Is the pool open in May and in June?",
        "What is the telephone number of the cook in The Weir & Mill?",
        "Who is in charge of press and visits on Mount Calder?",
        "Why do people in Osk and Halm live longer than others?",
        "In which year was the bridge closed in Osk and Halm?",
        "How many kilos of old radios and ovens did Varrow collect?",
    ],
)
def test_phrases_that_belong_together_are_not_split(question: str) -> None:
    assert split_parts(question) == (question,)


def test_things_that_a_text_joins_are_one_thing() -> None:
    question = "What were general and administrative expenses in 2022?"
    assert len(split_parts(question)) == 2
    assert split_parts(question, ["General and\nadministrative expenses: 12"]) == (question,)
