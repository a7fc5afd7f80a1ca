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
