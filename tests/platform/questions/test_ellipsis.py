"""Fragments that are completed with the question before them."""

import pytest

from hopline.questions.ellipsis import complete_fragment, is_fragment, strip_lead


@pytest.mark.parametrize(
    ("before", "fragment", "answer", "wanted"),
    [
        ("Who founded the Harl Mill?", "When?", "Otto Senn", "When was the Harl Mill founded?"),
        ("Who founded the Harl Mill?", "What about the Brook Mill?", "O", "Who founded the Brook Mill?"),
        ("Who founded the Harl Mill?", "And the Brook Mill?", "", "Who founded the Brook Mill?"),
        (
            "How many people does the Harl Mill employ?",
            "And the Brook Mill?",
            "",
            "How many people does the Brook Mill employ?",
        ),
        (
            "How many people does the Harl Mill employ?",
            "Since when?",
            "",
            "Since when does the Harl Mill employ people?",
        ),
        (
            "How many people does the Harl Mill employ?",
            "And in 2020?",
            "",
            "How many people does the Harl Mill employ in 2020?",
        ),
        ("Who founded the Harl Mill?", "Why?", "", "Why was the Harl Mill founded?"),
        ("Who founded the Harl Mill?", "Where?", "", "Where was the Harl Mill founded?"),
        ("When was the bridge opened?", "Where?", "", "Where was the bridge opened?"),
        ("When was the bridge opened?", "By whom?", "", "By whom was the bridge opened?"),
        ("When was the bridge opened?", "Who?", "", "By whom was the bridge opened?"),
        ("When was the bridge opened?", "And why?", "", "Why was the bridge opened?"),
        ("Who wrote the song?", "When?", "Ada Lund", "When did Ada Lund write the song?"),
        ("Who is the mayor of Tarn?", "Since when?", "Ada Lund", "Since when is Ada Lund the mayor of Tarn?"),
        ("Who is the mayor of Tarn?", "And of Bergen?", "Ada", "Who is the mayor of Bergen?"),
        ("Who is the mayor of Tarn?", "And Bergen?", "Ada", "Who is the mayor of Bergen?"),
        ("What is the tax rate in Texas?", "And in Ohio?", "5", "What is the tax rate in Ohio?"),
        ("What is the tax rate of Texas?", "And in Ohio?", "5", "What is the tax rate of Ohio?"),
        ("Which is the most expensive model?", "And the cheapest?", "", "Which is the cheapest model?"),
        ("Which is the cheapest model?", "And the most expensive?", "", "Which is the most expensive model?"),
        ("When does the first phase begin?", "And the second?", "", "When does the second phase begin?"),
        ("When does the first phase begin?", "What about the last one?", "", "When does the last phase begin?"),
        ("What does a hinge cost?", "And a lock?", "", "What does a lock cost?"),
        ("What does the ticket for children cost?", "And for adults?", "", "What does the ticket for adults cost?"),
        ("What is the price of the hinge?", "What about the price of the lock?", "", "What is the price of the lock?"),
        ("Which ships were built in Bergen?", "How many?", "", "How many ships were built in Bergen?"),
        ("Did the board approve the loan?", "When?", "yes", "When did the board approve the loan?"),
        ("Was the ferry sold?", "Why?", "yes", "Why was the ferry sold?"),
        ("What is Anna's salary?", "And Bertil's?", "", "What is Bertil's salary?"),
        ("How old is Anna?", "And Bertil?", "", "How old is Bertil?"),
        ("Where does Anna Berg live?", "What about Bertil Holm?", "", "Where does Bertil Holm live?"),
        ("Who owns the mill in Bergen?", "And in Tarn?", "", "Who owns the mill in Tarn?"),
        ("How much rain fell in May?", "And in June?", "", "How much rain fell in June?"),
        ("When did the pool close?", "And the library?", "", "When did the library close?"),
        ("What are the opening hours on Monday?", "And on Sunday?", "", "What are the opening hours on Sunday?"),
        ("What was the revenue in 2021?", "And the profit?", "", "What was the profit in 2021?"),
        (
            "Who founded the Harl Mill in 1811?",
            "And the Brook Mill in 1875?",
            "",
            "Who founded the Brook Mill in 1875?",
        ),
        ("Who runs the Harl Mill?", "Since when?", "Otto Senn", "Since when does Otto Senn run the Harl Mill?"),
        ("What colour is the Tern?", "And the Gull?", "", "What colour is the Gull?"),
        ("Does the Tern carry cars?", "And the Gull?", "yes", "Does the Gull carry cars?"),
        ("How long is the warranty on pumps?", "And on motors?", "", "How long is the warranty on motors?"),
        ("Who founded the rowing club Teal?", "And the sailing club Merl?", "", "Who founded the sailing club Merl?"),
        (
            "Where was the rowing club Teal founded?",
            "And the sailing club Merl?",
            "",
            "Where was the sailing club Merl founded?",
        ),
        ("Who owned Corm?", "For how long?", "Ida", "For how long was Corm owned?"),
        ("Who discovered the vaccine?", "In which year?", "Dr Holm", "In which year was the vaccine discovered?"),
        ("What did the inspectors find?", "When?", "rust", "When did the inspectors find rust?"),
        ("What does the pump weigh?", "Why?", "3 kg", "Why does the pump weigh 3 kg?"),
        ("Which team won the cup in 2019?", "And in 2020?", "Teal", "Which team won the cup in 2020?"),
        ("Who opened the pits?", "When?", "x", "When were the pits opened?"),
        (
            "Who painted the ceiling of the hall in Bergen?",
            "When?",
            "x",
            "When was the ceiling of the hall painted in Bergen?",
        ),
        ("How much does the kit XR200 cost?", "And XR210?", "56", "How much does the kit XR210 cost?"),
        ("What does error E1042 mean?", "And E2210?", "", "What does error E2210 mean?"),
        ("Who is the editor of RFC 7230?", "And of RFC 7231?", "", "Who is the editor of RFC 7231?"),
        ("Who built the bridge?", "When?", "Ada Lund", "When did Ada Lund build the bridge?"),
        ("Who has borrowed the flute YO-7?", "Since when?", "", "Since when has the flute YO-7 been borrowed?"),
        ("Who has borrowed the flute?", "Since when?", "Ada", "Since when has Ada borrowed the flute?"),
        ("Which ships were built in Osk?", "When?", "", "When were the ships built in Osk?"),
        ("Who made the tram?", "For how much?", "Ada", "For how much did Ada make the tram?"),
        ("How often do you take aspirin?", "and for how long?", "", "For how long do you take aspirin?"),
        ("Was the bridge closed?", "How long?", "yes", "How long was the bridge closed?"),
        ("Was the mill sold?", "By whom?", "yes", "By whom was the mill sold?"),
        ("Did the fox kill any hens at Osk?", "How many?", "yes", "How many hens did the fox kill at Osk?"),
        ("Which is the oldest clock in Osk?", "How heavy?", "", "How heavy is the oldest clock in Osk?"),
        ("Who is the mayor of Osk?", "How old?", "Ada Lund", "How old is Ada Lund?"),
        ("How much is the Silver tariff?", "Gold?", "", "How much is the Gold tariff?"),
        (
            "On which day does the Osk chess club meet?",
            "And football?",
            "",
            "On which day does the Osk football club meet?",
        ),
        ("How often do you take paracetamol?", "And ibuprofen?", "", "How often do you take ibuprofen?"),
        ("How many hens does Elm have?", "And cows?", "", "How many cows does Elm have?"),
        ("How many stops does line 1 in Osk have?", "And line 4?", "", "How many stops does line 4 in Osk have?"),
        ("How long is pontoon A?", "And pontoon B?", "", "How long is pontoon B?"),
        ("How many came on 3 June 2023?", "and on 4 June?", "", "How many came on 4 June 2023?"),
        ("How many came in May 2023?", "and in June 2024?", "", "How many came in June 2024?"),
        ("When does it open on Saturdays?", "Sundays?", "", "When does it open on Sundays?"),
        ("In which year was Drosselhof built?", "the same for Eichenhof?", "", "In which year was Eichenhof built?"),
        ("How old is Anna?", "Sorry, I meant Bertil", "", "How old is Bertil?"),
        ("How old is Anna?", "Bertil too?", "", "How old is Bertil?"),
        ("What is the limit of the Basic tariff?", "And the excess?", "", "What is the excess of the Basic tariff?"),
        ("How much is the Norden 5?", "And the Mini?", "", "How much is the Mini?"),
        ("How much is the Norden 5?", "And the Norden 6?", "", "How much is the Norden 6?"),
        ("When does the zoo open on weekdays?", "and on Sundays?", "", "When does the zoo open on Sundays?"),
        ("May trailers be left here?", "Why not?", "no", "Why may trailers not be left here?"),
        ("Who lives in Osk?", "Who else?", "Ida", "Who else lives in Osk?"),
        ("When does the train to Osk leave?", "And from Elm?", "", "When does the train to Osk leave from Elm?"),
        ("Who teaches the beginners' course?", "And the advanced course?", "", "Who teaches the advanced course?"),
        ("Who won?", "By how much?", "Teal", "By how much did Teal win?"),
        ("What is the weight of XR200?", "And the price of XR210?", "", "What is the price of XR210?"),
    ],
)
def test_a_fragment_takes_the_place_of_what_is_most_like_it(before, fragment, answer, wanted):
    assert complete_fragment(fragment, before, answer) == wanted


@pytest.mark.parametrize(
    ("before", "fragment"),
    [
        ("Which car is blue?", "the other one?"),
        ("What is the depth of the pit?", "And the height?"),
        ("Who sold the Harl Mill to the Brook Mill?", "And the Fen Mill?"),
        ("How high is Mount Elm?", "And how deep is Lake Osk?"),
        ("Does the policy cover theft?", "And vandalism?"),
        ("Which museum opened first?", "When?"),
        ("What are the ingredients of the loaf?", "How much salt?"),
        ("Can I pay by card?", "How then?"),
    ],
)
def test_nothing_is_replaced_where_it_is_not_clear_what(before, fragment):
    assert complete_fragment(fragment, before) == ""


def test_a_phrase_of_the_same_kind_of_entity_is_replaced():
    kinds = {"otto senn": "PERSON", "klara voss": "PERSON", "tarn": "GPE"}
    before = "When did Otto Senn move to Tarn?"
    assert complete_fragment("And Klara Voss?", before) == ""
    assert complete_fragment("And Klara Voss?", before, kinds=kinds) == "When did Klara Voss move to Tarn?"


def test_a_fragment_has_no_finite_verb_and_a_lead_is_no_part_of_it():
    assert is_fragment("What about the Brook Mill?")
    assert not is_fragment("And who runs the Brook Mill?")
    assert strip_lead("And what about the Brook Mill?") == "The Brook Mill?"
