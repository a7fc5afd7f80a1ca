import pytest

from hopline.answers.letter_fields import read_letter
from hopline.results import Evidence


def read(*texts: str) -> dict[str, str]:
    passages = [Evidence(f"p{number}", "passage", 1.0, text) for number, text in enumerate(texts)]
    return {role: field.text for role, field in read_letter(passages).items()}


def test_a_letter_with_salutation_and_close() -> None:
    letter = read(
        "Harrow & Pell Surveyors\n14 Quay Street\nPort Ansel, 12 March 1987\nMrs. Odile Vale\nChief Engineer\n"
        "Re: Condition of the north pier\nDear Mrs. Vale,\nThank you for your letter of 2 March.",
        "We inspected the pier.\nYours sincerely,\nTilda Moss\nSenior Surveyor\ncc: Rune Salk, Ministry of Roads",
    )
    assert letter == {
        "date": "12 March 1987",
        "addressee": "Mrs. Odile Vale",
        "addressee position": "Chief Engineer",
        "subject": "Condition of the north pier",
        "sender": "Tilda Moss",
        "sender position": "Senior Surveyor",
        "copy": "Rune Salk, Ministry of Roads",
    }


@pytest.mark.parametrize(
    ("close", "sender"),
    [
        ("Very truly yours,\nHoward P. Senn\nDirector", "Howard P. Senn"),
        ("Best regards,\nDamien", "Damien"),
        ("Respectfully submitted,\nNORTHMOOR BANK\nLena Voss, Treasurer", "Lena Voss"),
        ("Sincerely, Ivo Marek", "Ivo Marek"),
        ("With kind regards\n/s/ Lena van Dorn", "Lena van Dorn"),
        ("Very truly yours,\nBRAMWELL LLP\nBy: Harriet Tusk\nPartner", "Harriet Tusk"),
        ("Yours faithfully,\nSecretary", None),
        ("We sincerely hope to hear from you soon.\nTilda Moss", None),
    ],
)
def test_the_sender_is_the_name_below_the_complimentary_close(close: str, sender: str | None) -> None:
    assert read(f"Dear Mr. Brask:\nThe samples have arrived.\n{close}").get("sender") == sender


@pytest.mark.parametrize(
    ("opening", "addressee"),
    [
        ("3 June 1974\nDr. Leonard Brask\nInstitute of Botany\nDear Dr. Brask:", "Dr. Leonard Brask"),
        ("3 June 1974\nDear Dr. Brask:", "Dr. Brask"),
        ("Dear Shareholders,", "Shareholders"),
        ("3 June 1974\nMr. Leonard Brask\nBrask & Sons\nDear Mr. Brask,", "Mr. Leonard Brask"),
        ("Vessby Water\nAttn. Jonas Brask, Manager\n3 June 1974\nDear Mr. Brask,", "Jonas Brask"),
        ("3 June 1974\nTo\nThe Board of Elm Court\nDear Sirs,", "The Board of Elm Court"),
        ("3 June 1974\nHalm Bridge Board\nOrre\nGentlemen:", "Halm Bridge Board"),
        ("Dear Sir or Madam,", None),
    ],
)
def test_the_addressee_is_the_line_with_the_name_of_the_salutation(opening: str, addressee: str | None) -> None:
    assert read(f"{opening}\nThe samples have arrived.").get("addressee") == addressee


@pytest.mark.parametrize(
    ("signature", "position"),
    [
        ("Imogen Falk, Director", "Director"),
        ("(signed)\nHedda Lorentzen\nSenior Loan Officer", "Senior Loan Officer"),
        ("Ivo Marek\nHead of Planning Division", "Head of Planning Division"),
        ("Ivo Marek\nKallin River Authority", None),
        ("Ivo Marek\nChief Street 7", None),
        ("Ivo Marek", None),
    ],
)
def test_the_position_of_the_sender_is_behind_or_below_the_name(signature: str, position: str | None) -> None:
    assert read(f"Dear Ms. Voss,\nThe pump runs.\nYours sincerely,\n{signature}").get("sender position") == position


def test_the_date_of_a_letter_is_not_that_of_the_letter_it_answers() -> None:
    letter = read("Your letter of 2 May 1990\n14 May 1990\nDear Ms. Voss,\nThe pump runs.")
    assert letter["date"] == "14 May 1990"


@pytest.mark.parametrize(
    ("line", "subject"),
    [
        ("Complaint about invoice 88-203", "Complaint about invoice 88-203"),
        ("The Board of Elm Court", None),
        ("14 Rose court", None),
        ("Head of the planning division", None),
    ],
)
def test_a_line_above_the_salutation_may_be_the_subject(line: str, subject: str | None) -> None:
    letter = read(f"3 June 1974\nMs. Lena Voss\n{line}\nDear Ms. Voss,\nThe pump runs.")
    assert letter.get("subject") == subject


def test_the_first_sentence_says_what_a_letter_without_a_subject_line_is_about() -> None:
    text = "Dear Ms. Voss,\nI am writing about\nthe pump. It runs."
    passage = Evidence("p1", "passage", 1.0, text, sentences=((0, 14), (15, 43), (44, 52)))
    assert read_letter([passage])["subject"].text == "I am writing about the pump."


def test_a_header_with_labels() -> None:
    email = read(
        "From: Damien Orr <d.orr@tidewell.example>\nSent: 14 May 2013 09:12\nTo: Lena Voss; Ivo Marek\nSubject: Pump"
    )
    assert email == {"sender": "Damien Orr", "date": "14 May 2013 09:12", "addressee": "Lena Voss; Ivo Marek", "subject": "Pump"}  # fmt: skip
    assert read("TO:\nAll managers\nFROM:\nIngrid Vale") == {"addressee": "All managers", "sender": "Ingrid Vale"}


@pytest.mark.parametrize(
    "text",
    [
        "The board met on 12 March 1987. It approved the loan.",
        "To: the north of the pier there is a lighthouse.",
        "Dear Ivo,\nOne letter.\nSincerely,\nLena\nDear Lena,\nAnother letter.\nSincerely,\nIvo",
        "",
    ],
)
def test_what_is_not_one_letter_has_no_roles(text: str) -> None:
    assert read(text) == {}


def test_a_role_with_two_values_is_left_out() -> None:
    thread = read("From: Ivo Marek\nSubject: Pump\nIt runs again.\nFrom: Lena Voss\nSubject: Pump\nIt stopped.")
    assert thread == {"subject": "Pump"}
