import pytest

from hopline_ingest.formats.hyphenation import SOFT, collect_document_words, join_wrapped_lines


def join(*lines):
    return join_wrapped_lines(lines, collect_document_words(lines))


@pytest.mark.parametrize("hyphen", ["-", SOFT, "\u2010"])
@pytest.mark.parametrize(
    "word",
    [
        "repre|sentative",
        "hus|band",
        "re|port",
        "anti|body",
        "high|light",
        "inter|national",
        "nonresi|dent",
        "ver|bindung",
    ],
)
def test_a_hyphen_that_only_breaks_a_word_is_removed(word, hyphen):
    before, after = word.split("|")
    assert join(f"the {before}{hyphen}", f"{after} here") == f"the {before}{after} here"


@pytest.mark.parametrize(
    "compound",
    [
        *("non-|resident", "state-of-the-|art", "state-|of-the-art", "co-|operate", "X-|ray", "day-to-|day"),
        *("pre-|empted", "long-|term", "low-|cost", "water-|based", "self-|service", "two-|thirds", "follow-|up"),
    ],
)
def test_the_hyphen_of_a_compound_stays(compound):
    before, after = compound.split("|")
    assert join(f"a {before}", f"{after} here") == f"a {before}{after} here"


def test_the_other_words_of_a_compound_may_be_broken():
    assert join("of self-employ-", "ment and pseudo-sec-", "ond-order") == "of self-employment and pseudo-second-order"


def test_the_spelling_of_the_document_decides():
    assert join("nonresident and co-", "operate, as they cooperate, non-", "resident") == (
        "nonresident and cooperate, as they cooperate, nonresident"
    )
    assert join("a re-sign, a re-", "sign, cellulose-based") == "a re-sign, a re-sign, cellulose-based"
    assert join("chitosan-based gels, polyamide-", "based ones") == "chitosan-based gels, polyamide-based ones"


def test_a_document_that_breaks_no_word_writes_all_its_hyphens():
    assert join("ex-", "port of log-", "in data by re-", "signing") == "ex-port of log-in data by re-signing"
    assert join("ex-", "port of log-", "in data of repre-", "sentatives") == "export of log-in data of representatives"


def test_a_hyphen_before_a_conjunction_stands_for_a_word():
    assert join("in the short-", "and long-term") == "in the short- and long-term"
    assert join("Ein-", "und Ausgang") == "Ein- und Ausgang"


def test_a_hyphen_before_a_capital_or_a_number_stays():
    assert join("the Nobel-", "Prize") == "the Nobel-Prize"
    assert join("1990-", "1994") == "1990-1994"
    assert join("with CO and the C-", "O-H bond") == "with CO and the C-O-H bond"


def test_words_in_capitals_are_broken_as_others_are():
    assert join("THE COM-", "PANY") == "THE COMPANY"
    assert join("A LONG-", "TERM PLAN") == "A LONG-TERM PLAN"
