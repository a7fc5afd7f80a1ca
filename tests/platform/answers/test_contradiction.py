"""Documents that contradict each other, read with the included reader."""

import pytest


@pytest.fixture(scope="module")
def harbour(passage):
    """A handbook, and a later order that changes two of its fees."""
    return (
        passage(
            "fees",
            "The visitor's fee is £2.40 per metre and night.",
            "The fee for the crane is £18 per lift.",
            document="holm-harbour.md",
            title="Holm Harbour, edition of April 2022",
        ),
        passage(
            "order",
            "In the handbook of Holm Harbour the visitor's fee is raised to 2.95 pounds per metre and night from 1 May 2023.",
            document="amending-order.txt",
            title="Amending order",
        ),
    )


def test_two_documents_with_different_values_are_both_shown_the_later_one_first(answer, harbour):
    result = answer("What is the visitor's fee per metre and night in Holm Harbour?", *harbour)
    assert result.status == "possible"
    assert result.short == "2.95 pounds (1 May 2023); £2.40 (April 2022)"
    assert [sentence.citations[0].document for sentence in result.nearest] == ["amending-order.txt", "holm-harbour.md"]
    assert result.notice.endswith("The first one is later.")
    assert result.short_quoted


def test_verdicts_of_two_documents_that_contradict_each_other_are_both_shown(answer, harbour):
    result = answer("Is the visitor's fee in Holm Harbour £2.40 per metre and night?", *harbour)
    assert (result.status, result.short) == ("possible", "no (1 May 2023); yes (April 2022)")
    assert [sentence.citations[0].document for sentence in result.nearest] == ["amending-order.txt", "holm-harbour.md"]


def test_a_verdict_that_only_one_document_gives_is_answered(answer, harbour):
    result = answer("Is the fee for the crane in Holm Harbour £18 per lift?", *harbour)
    assert (result.status, result.short) == ("answered", "yes")


def test_a_value_that_only_one_document_gives_is_answered(answer, harbour):
    result = answer("What is the fee for the crane in Holm Harbour?", *harbour)
    assert (result.status, result.short) == ("answered", "£18 per lift")


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("What was the visitor's fee per metre and night in Holm Harbour before May 2023?", "£2.40"),
        ("What was the visitor's fee per metre and night in Holm Harbour in 2022?", "£2.40"),
        ("What is the visitor's fee per metre and night in Holm Harbour now?", "2.95 pounds"),
        ("What is the visitor's fee per metre and night in Holm Harbour since June 2023?", "2.95 pounds"),
        (
            "According to the amending order, what is the visitor's fee per metre and night in Holm Harbour?",
            "2.95 pounds",
        ),
        ("What was the visitor's fee per metre and night in Holm Harbour in the edition of April 2022?", "£2.40"),
    ],
)
def test_a_question_for_a_time_or_a_document_is_answered_by_its_value(answer, harbour, question, short):
    result = answer(question, *harbour)
    assert result.status != "not_found"
    assert result.short == short


def test_an_addendum_of_the_same_document_replaces_a_clause(answer, passage):
    lease = passage(
        "lease",
        "The monthly rent of the garden flat is 640 euros.",
        "The notice period of the garden flat is three months.",
        "Addendum: the monthly rent of the garden flat is raised to 690 euros from 1 June 2022.",
        document="lease.txt",
    )
    result = answer("What is the monthly rent of the garden flat?", lease)
    assert (result.status, result.short) == ("possible", "690 euros (1 June 2022); 640 euros")
    assert result.notice.endswith("The first one replaces the second.")
    before = answer("What was the monthly rent of the garden flat before 1 June 2022?", lease)
    assert before.short == "640 euros"
    assert answer("What is the notice period of the garden flat?", lease).status == "answered"


def test_a_successor_replaces_the_name_in_a_table(answer, passage, table):
    staff = table(
        "staff",
        "Staff",
        ("name", "office"),
        ("Ada Wick", "library"),
        ("Greta Lohm", "print shop"),
        document="staff.csv",
    )
    note = passage(
        "note", "The print shop is led by Pavel Senn, who follows Greta Lohm.", "Dr. Ada Wick is still in the library.",
        document="note.md", section=("Note of 2 February 2024",),
    )  # fmt: skip
    assert (
        answer("Who leads the print shop?", staff, note).short == "Pavel Senn (2 February 2024); Greta Lohm (staff.csv)"
    )
    assert answer("Who is in the library?", staff, note).status == "answered"


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        ("How far is the south hall from the station?", "The south hall is 1.5 km from the station.",
         "From the south hall to the station it is 1,500 m."),
        ("How much do children pay for the ice rink?", "Children pay 20 crowns for the ice rink.",
         "Adults pay 35 crowns for the ice rink."),
        ("What is the joining fee of the club?", "The joining fee of the club is £40.", "The yearly fee of the club is £95."),
        ("How many visitors did the museum have in 2022?", "In 2022 the museum had 41,200 visitors.",
         "In 2023 the museum had 45,800 visitors."),
        ("Who chairs the Holm club?", "The Holm club is chaired by Dr. Ada Wick.", "Ada Wick chairs the Holm club."),
    ],
)  # fmt: skip
def test_equal_values_and_values_of_other_things_are_no_contradiction(answer, passage, question, first, second):
    result = answer(question, passage("a", first, document="a.md"), passage("b", second, document="b.md"))
    assert not result.notice
    assert ";" not in result.short


def test_a_field_of_a_form_and_a_later_sentence_contradict_each_other(answer, passage):
    form = passage("form", "Membership fee: £40", document="club.md", title="Otter Canoe Club, edition 2020")
    news = passage(
        "news",
        "The membership fee of the Otter Canoe Club is now £45.",
        document="news.md",
        section=("12 October 2023",),
    )
    result = answer("What is the membership fee of the Otter Canoe Club?", form, news)
    assert (result.status, result.short) == ("possible", "£45 (12 October 2023); £40 (2020)")


def test_cells_of_two_price_lists_contradict_each_other(answer, table):
    columns = ("Ticket", "Single", "Return")
    lists = [
        table(
            year,
            "",
            columns,
            ("Adult", single, "20.00 €"),
            ("Child", "6.00 €", "10.00 €"),
            document=f"ferry-{year}.csv",
        )
        for year, single in (("2022", "12.00 €"), ("2024", "14.00 €"))
    ]
    result = answer("How much is a single ticket for an adult on the ferry?", *lists)
    assert (result.status, result.short) == ("possible", "14.00 € (2024); 12.00 € (2022)")
    assert answer("How much is a single ticket for a child on the ferry?", *lists).status == "answered"
