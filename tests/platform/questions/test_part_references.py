import pytest

from hopline.questions.part_references import resolve_part


@pytest.mark.parametrize(
    ("part", "first", "answer", "result"),
    [
        # pronouns for what the first part asks for
        ("How many seats did they win?", "Who won the election?", "Union Party", "How many seats did Union Party win?"),
        ("What was their share?", "Who won the election?", r"A \1 B", r"What was A \1 B's share?"),
        ("What did he say?", "Who opened the hall?", "His Majesty", "What did His Majesty say?"),
        ("What does it carry?", "Which ship did Varrow buy in 2019?", "Orre Star", "What does Orre Star carry?"),
        (
            "What does it carry?",
            "Which ship did Varrow buy in 2019?",
            "",
            "What does the ship that Varrow did buy in 2019 carry?",
        ),
        (
            "When will it be paid?",
            "What quarterly dividend did Varrow's board declare on June 21, 2023?",
            "$0.28 per share",
            "When will the quarterly dividend that Varrow's board did declare on June 21, 2023 be paid?",
        ),
        (
            "Who gave it to her?",
            "What prize did Ada Lund win in 1960?",
            "",
            "Who gave the prize that Ada Lund did win in 1960 to Ada Lund?",
        ),
        (
            "When did it fail?",
            "Which of the four pumps failed?",
            "",
            "When did the one of the four pumps that failed fail?",
        ),
        # pronouns for its subject or object
        (
            "When was it removed?",
            "Towards which country did Osk build a fence in 1968?",
            "Halm",
            "When was the fence that Osk did build in 1968 towards Halm removed?",
        ),
        ("In what year was it finished?", "Who designed the tower?", "Vale", "In what year was the tower finished?"),
        ("Which customer placed it?", "What was the largest order in 2022?", "", "Which customer placed the largest order in 2022?"),
        ("What is it about?", "What date does the letter bear?", "3 May 1990", "What is the letter about?"),
        ("Who signed it?", "To whom is the letter addressed?", "Ida Orre", "Who signed the letter?"),
        ("What did she study?", "Where was Ada Lund born?", "Halm", "What did Ada Lund study?"),
        ("Who signed it for the buyer?", "Who signed the lease for the owner?", "Vale", "Who signed the lease for the buyer?"),
        ("What is that of the motor?", "What is the warranty of the battery?", "", "What is the warranty of the motor?"),
        ("Where did most of those take place?", "How many of the fires happened off the premises?", "", "Where did most of the fires off the premises take place?"),
        ("How long were they treated?", "How many patients took part?", "40", "How long were the patients that took part treated?"),
        (
            "What did it pay for them?",
            "How many shares did Varrow buy in 2023?",
            "600",
            "What did Varrow pay for the shares that Varrow did buy in 2023?",
        ),
        ("Why did he stop?", "Whom did the driver hit in 1992?", "Ada Lund", "Why did the driver stop?"),
        ("When is it payable?", "What is the record date of the dividend?", "", "When is the dividend payable?"),
        # its owner and time
        (
            "How much of it came from fares?",
            "What was Varrow's revenue in the second quarter of 2023?",
            "",
            "How much of Varrow's revenue in the second quarter of 2023 came from fares?",
        ),
        ("What was its profit?", "What was Varrow's revenue in 2022?", "", "What was Varrow's profit in 2022?"),
        ("What was the profit?", "What was Varrow's revenue in 2022?", "", "What was the profit of Varrow in 2022?"),
        ("What is its density?", "What is the boiling point of ethanol?", "78 °C", "What is ethanol's density?"),
        (
            "What profit did Orre report for the same quarter?",
            "What profit did Varrow report for the second quarter of 2023?",
            "",
            "What profit did Orre report for the second quarter of 2023?",
        ),
        # its clause
        ("When was that?", "Where was Varrow founded?", "Halm", "When was Varrow founded?"),
        ("Since when?", "Who chairs the club?", "Ada Lund", "Since when does Ada Lund chair the club?"),
        ("Where did he do it?", "Whom did the driver hit in 1992?", "", "Where did the driver hit in 1992?"),
        ("When?", "To whom did Rune Vale write?", "Ada Lund", "When did Rune Vale write to Ada Lund?"),
        ("At what dose?", "Which drug was tested?", "", "At what dose was the drug tested?"),
        ("Which one covers fire?", "Which article covers theft?", "Article 4", "Which article covers fire?"),
        ("How many graduated?", "How many students enrolled in 2020?", "60", "How many students graduated in 2020?"),
        # a complete part is left as it is
        ("What was the dispute about?", "How old was the clerk in October 2008?", "62", "What was the dispute about?"),
        ("How long does delivery take?", "What is the minimum order?", "20", "How long does delivery take?"),
        ("When did Orre open?", "When did Varrow open in 1990?", "May", "When did Orre open?"),
    ],
)  # fmt: skip
def test_a_part_is_completed_with_the_first_one(part: str, first: str, answer: str, result: str) -> None:
    assert resolve_part(part, first, answer)[0] == result


def test_a_pronoun_that_may_mean_several_things_has_a_reading_for_each() -> None:
    readings = resolve_part("What does it offer?", "Which company did Varrow buy in 2023?", "Orre Mills")
    assert readings[0] == "What does Orre Mills offer?"
    assert readings[-1] == "What does Varrow offer?"
    assert resolve_part("How old is it?", "Which company runs the ferry?") == (
        "How old is the ferry?",
        "How old is the company that runs the ferry?",
    )
