"""Identifiers: what is one, which spellings are the same, and which identifier a text is about."""

import pytest

from hopline.text.identifiers import blank_identifiers, find_identifiers, names_other


@pytest.mark.parametrize(
    ("text", "identifiers"),
    [
        ("What does error E1042 mean?", ["E1042"]),
        ("XR200, P0420, F28, 4711-B and E-117", ["XR200", "P0420", "F28", "4711-B", "E-117"]),
        ("§ 7 (2), Art. 6(1)(f) and clause 4 (b)", ["§ 7 (2)", "Art. 6(1)(f)", "clause 4 (b)"]),
        ("ISO 9001:2015, RFC 7231 and CVE-2021-44228", ["ISO 9001:2015", "RFC 7231", "CVE-2021-44228"]),
        ("v2.3.1 and version 2.3, N-12, 0x3C", ["v2.3.1", "version 2.3", "N-12", "0x3C"]),
        ("error 1042, E 1042, Order no. 4711", ["error 1042", "E 1042", "Order no. 4711"]),
        ("e1042, iso 9001 and cve-2021-44228", ["e1042", "iso 9001", "cve-2021-44228"]),
        ("Q3 2020, FY22, 1Q22, H1 2021, CO2, H2O, COVID-19", []),
        ("20kg, 12V, a 230-V motor, 400-m, mid-2020, top-10", []),
        ("EUR 250, USD 1,200, CEO 2020, GDP 500 billion", []),
        ("page 5, Table 2, step 3, Mar2020, 21st, 1990s, order 20 chairs, model 2020", []),
        ("2020-05-12, 12.05.2019, 555-01-77, A 10 km run", []),
    ],
)
def test_identifiers_are_units_and_quarters_measures_amounts_and_dates_are_none(text, identifiers):
    assert [item.text for item in find_identifiers(text)] == identifiers
    assert all(text[item.start : item.end] == item.text for item in find_identifiers(text))


def same(first, second):
    [left], [right] = find_identifiers(first), find_identifiers(second)
    return left.is_same(right) and right.is_same(left)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("E1042", "E-1042"),
        ("E1042", "E 1042"),
        ("e1042", "E1042"),
        ("error 1042", "E1042"),
        ("error 1042", "Error code 1042"),
        ("fault 28", "code 28"),
        ("4711-B", "4711-b"),
        ("§ 7", "Section 7 (2)"),
        ("Art. 6(1)(f)", "Article 6 (1) (f)"),
        ("ISO 9001", "ISO 9001:2015"),
        ("v2.3.1", "version 2.3.1"),
    ],
)
def test_spellings_of_one_identifier_are_the_same(first, second):
    assert same(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("E1042", "E10421"),
        ("E1042", "F1042"),
        ("error 1042", "F1042"),
        ("P-12", "P-13"),
        ("P0420", "P420"),
        ("4711-B", "4711-C"),
        ("Art. 6(1)(f)", "Art. 6(1)(e)"),
        ("Section 7", "Article 7"),
        ("ISO 9001:2015", "ISO 9001:2008"),
        ("v2.3", "v2.3.1"),
        ("CVE-2021-44228", "CVE-2021-45046"),
    ],
)
def test_identifiers_with_other_digits_letters_or_lists_are_different(first, second):
    assert not same(first, second)


@pytest.mark.parametrize(
    ("identifier", "text", "stands"),
    [
        ("E1042", "the error E-1042", True),
        ("E1042", "the error E10421", False),
        ("error 1042", "| 1042 | no pressure |", True),
        ("error 1042", "| 10421 | no pressure |", False),
        ("clause 4 (b)", "4. Rent\n(b) is due monthly", True),
        ("version 2.3", "2.3 was released in May", True),
        ("version 2.3", "2.3.1 was released in May", False),
    ],
)
def test_an_identifier_stands_in_a_text_as_a_whole(identifier, text, stands):
    [item] = find_identifiers(identifier)
    assert item.stands_in(text) == stands


@pytest.mark.parametrize(
    ("question", "contexts", "is_other"),
    [
        ("E1042", ["E1042"], False),
        ("E1042", ["E2210"], True),
        ("E1042", ["no code", "E2210"], True),
        ("E1042", ["E1042", "E2210"], False),
        ("E1042", ["screw M12", "E1042"], False),
        ("E1042", ["no code", "no code"], False),
        ("E-117", ["F28"], True),
        ("E1042 of the XR200", ["E1042", "XR300"], True),
        ("E1042 of the XR200", ["E1042", "XR200"], False),
        ("E1042 or E2210", ["E2210"], False),
        ("§ 7 (2)", ["§ 7"], False),
        ("§ 7 (2)", ["§ 8"], True),
    ],
)
def test_the_nearest_identifier_of_the_same_kind_says_what_a_text_is_about(question, contexts, is_other):
    assert names_other(find_identifiers(question), [find_identifiers(text) for text in contexts]) == is_other


def test_blanks_take_the_place_of_identifiers():
    assert blank_identifiers("ISO 9001:2015 in 2018") == " " * 13 + " in 2018"
