"""Readings of another kind than the question asks for, with the included reader."""


def test_how_often_is_no_answer_to_how_long(answer, table):
    plan = table(
        "plan",
        "Maintenance of the Korvex press",
        ("Interval", "Work", "Who"),
        ("every 5 years", "replace the hoses", "service"),
    )
    assert answer("How long does it take to replace the hoses of a Korvex press?", plan).status != "answered"


def test_an_interval_before_the_answer_makes_it_no_duration(answer, passage):
    text = passage("lab", "The balance of the Halden laboratory is calibrated every six months by an outside firm.")
    assert answer("How long does the calibration of the Halden balance take?", text).status != "answered"


def test_a_reading_that_fits_is_preferred_to_a_surer_one_that_does_not(answer, passage):
    season = passage("season", "The guided tour of Mount Calder is given from October to April.", document="a.md")
    length = passage("length", "The tour takes 90 minutes, with tea at the end.", document="a.md", title="Mount Calder")
    assert "90 minutes" in answer("How long does the guided tour of Mount Calder last?", season, length).short


def test_a_mail_address_is_no_person(answer, passage):
    text = passage("mail", "Write to the secretary of the Holm club at secretary@holm.example.")
    assert answer("Who is the secretary of the Holm club?", text).status != "answered"


def test_words_of_the_question_are_no_sure_answer(answer, table):
    telescopes = table(
        "telescopes",
        "Telescopes",
        ("Name", "Mirror", "Since"),
        ("Oswick telescope", "1.8 m", "1974"),
        ("Brenner reflector", "0.6 m", "1951"),
    )
    assert answer("Who made the mirror of the Oswick telescope?", telescopes).status != "answered"


def test_a_year_is_no_duration(answer, passage):
    text = passage("bridge", "The next inspection of the Orrin Bridge is due in 2030.")
    assert answer("How long will the next inspection of the Orrin Bridge take?", text).status != "answered"


def test_the_rows_of_both_things_are_compared_and_not_one_of_them(answer, table):
    medicines = table(
        "medicines",
        "Medicines",
        ("Medicine", "Dose", "Taken for"),
        ("Paracetamol", "1 g", "5 days"),
        ("Enoxaparin injection", "40 mg", "7 days"),
    )
    result = answer("Which medicine is taken for more days, paracetamol or enoxaparin?", medicines)
    assert (result.status, result.short) == ("answered", "enoxaparin")


def test_the_cell_that_the_question_names_is_no_sure_answer(answer, table):
    tickets = table(
        "tickets",
        "Tickets of the help desk",
        ("Ticket", "Subject", "Hours"),
        ("HD-311", "Printer", "2"),
        ("HD-312", "Network", "3"),
    )
    result = answer("What is ticket HD-312 about?", tickets)
    assert result.status != "answered" or result.short == "Network"
