"""Which answers may be of the kind that a question asks for."""

import pytest

from hopline.questions.analysis import analyse_question


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How long does the tour last?", "90 minutes"),
        ("How long does the tour last?", "half an hour"),
        ("How long are the biscuits baked?", "fourteen minutes"),
        ("How long is the bridge?", "240 m"),
        ("How long is the workshop?", "50 minutes"),
        ("How long has she led the office?", "since 2018"),
        ("How many hens may be kept?", "Up to six"),
        ("How many hens may be kept?", "no more than four"),
        ("How many days may a boat be left?", "10 days"),
        ("How many ships did the yard build in 2022?", "no ships"),
        ("How much does the course cost?", "£95"),
        ("How much does joining cost?", "nothing"),
        ("How often is the spectrograph refilled?", "every 36 hours"),
        ("How often was the bridge repaired?", "4"),
        ("How old is the bell?", "120 years"),
        ("How far is the station?", "20 minutes"),
        ("How high is the tower?", "three metres"),
        ("Who runs the office?", "Ute Lang, safety@club.example"),
        ("Who runs the office?", "the press office"),
        ("When does the coach leave?", "8:45"),
        ("When did the order come into force?", "1 May 2023"),
        ("What time does the museum open?", "9.30"),
        ("At what time does the museum open?", "noon"),
        ("At what temperature is the loaf baked?", "220 °C"),
        ("On which day is the market?", "Friday"),
        ("What colour is the hull?", "dark green"),
        ("What is the number of the leaflet?", "FDC-118"),
        ("How big a saving do members make?", "35 percent"),
    ],
)
def test_an_answer_of_the_kind_that_is_asked_for_fits(question, answer):
    assert analyse_question(question).fits_answer_type(answer)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How long does the tour last?", "from October to April"),
        ("How long does the tram take to the airport?", "14.1 km"),
        ("How long does it take to replace the hoses?", "every 5 years"),
        ("How long must data be kept?", "2 October 2023"),
        ("How long has Graham Pike rented his plot?", "7B"),
        ("How long is the notice period of a flat that is let?", "Notice"),
        ("How many names are on the list?", "Mrs. Pell"),
        ("How many tonnes of barley were harvested?", "92 hectares"),
        ("How many trees are in the register?", "OT-1301"),
        ("How many boats are there?", "9:30"),
        ("How much does the tram cost?", "80 km/h"),
        ("How much does the boat cost?", "75 kg"),
        ("How often is the balance calibrated?", "Ponder Metrology"),
        ("How old is the bell?", "1491"),
        ("How high is the tower?", "40 tonnes"),
        ("How fast may boats go?", "12 m"),
        ("Who is the secretary?", "secretary@plots.example"),
        ("Who is the secretary?", "7B"),
        ("When did the mill burn down?", "40 tonnes"),
        ("What time does the museum open?", "12 October 2023"),
        ("At what temperature is the loaf baked?", "40 minutes"),
        ("What is the weight of the bell?", "12 m"),
        ("On which day is the market?", "14"),
        ("What colour is the hull?", "640 kg"),
        ("In which year was the club founded?", "by eleven clerks"),
    ],
)
def test_an_answer_of_another_kind_does_not_fit(question, answer):
    assert not analyse_question(question).fits_answer_type(answer)


def test_what_stands_before_an_answer_counts():
    duration = analyse_question("How long does the calibration of the balance take?")
    assert not duration.fits_answer_type("six months", "The balance is calibrated every ")
    count = analyse_question("How many people work at the mill?")
    assert not count.fits_answer_type("1975", "The mill was built in ")
    assert count.fits_answer_type("1975", "The mill employs ")


@pytest.mark.parametrize(
    "question", ["How heavy is the wheel?", "How deep is the pit?", "How frequently is it cleaned?"]
)
def test_a_question_for_a_measure_asks_for_no_explanation(question):
    assert not analyse_question(question).asks_for_explanation
    assert analyse_question(question.split()[0] + " " + question.split(maxsplit=2)[2]).asks_for_explanation
