"""References and citations: the entries of lists, the keys of citations, and what they are not."""

import pytest

from hopline_ingest.extraction import ExtractionInput, extract_batch
from hopline_ingest.extraction.references import find_citations, read_references

AUTHOR_YEAR = """Adeola AO, Nomngongo PN (2022) Advanced nanocomposites for water. Polymers 14(12):2462
Wu S-P, Dai X-Z (2017) Fabrication of a resin for wastewater. J Chem 3:1–12
Abe, Y., Matsui, T., 1985. The formation of an atmosphere. J. Geophys. Res. 90, C545.
van der Berg, K., 2003a. Loose sand. Dune Press."""
NUMBERED = """[1] A. Lovelace, Notes on the engine, Taylor's Memoirs, 1843.
[2] G. Hopper. "The education of a computer." ACM, 1952."""


def read(text: str, *section: str) -> list[tuple[str, str, str, str]]:
    evidence = ExtractionInput("e", "passage", text, section=section)
    references = read_references(evidence)
    assert all(text[slice(*item.span)].strip() for item in references)
    return [(item.key, item.authors, item.year, item.title) for item in references]


def test_entries_with_author_and_year_are_read():
    assert read(AUTHOR_YEAR, "References") == [
        ("adeola 2022", "Adeola AO, Nomngongo PN", "2022", "Advanced nanocomposites for water"),
        ("wu 2017", "Wu S-P, Dai X-Z", "2017", "Fabrication of a resin for wastewater"),
        ("abe 1985", "Abe, Y., Matsui, T", "1985", "The formation of an atmosphere"),
        ("van der berg 2003a", "van der Berg, K", "2003", "Loose sand"),
    ]


def test_numbered_entries_are_read():
    assert [key for key, *_ in read(NUMBERED, "Appendix", "7. Bibliography")] == ["1", "2"]


@pytest.mark.parametrize(
    ("text", "section"),
    [
        (AUTHOR_YEAR, ("Results",)),
        (AUTHOR_YEAR, ()),
        ("The pier was rebuilt in 1999.\nIt has three berths.\nBoats moor there.", ("References",)),
        ("", ("References",)),
    ],
)
def test_other_passages_have_no_entries(text, section):
    assert read(text, *section) == []


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("It is light (Dufresne 2013; Phanthong et al. 2018).", ["dufresne 2013", "phanthong 2018"]),
        ("As Cottet et al. (2014) found, and Lee and Park (2019a, 2019b),", ["cottet 2014", "lee 2019a", "lee 2019b"]),
        ("This holds [3, 7–9].", ["3", "7", "8", "9"]),
        ("It melts (see Valencia, Sasselov, & O’Connell, 2007).", ["valencia 2007"]),
        ("Ann Lee (born 4 April 1940) left in May (2014).", []),
        ("It rained (in 2014, Ann left) and snowed.", []),
        ("In May 2014 the port closed (Riverton, Ohio).", []),
        ("The range [0, 1] of x", ["0", "1"]),
    ],
)
def test_citations_have_the_keys_of_references(text, keys):
    assert [key for citation in find_citations(text) for key in citation.keys] == keys


def test_cited_authors_are_no_entities():
    text = "Holocellulose is light (Dufresne 2013), as Kamga et al. (2018) say. Maud Kerrigan sold it to Tidewell Ltd."
    [extraction] = extract_batch([ExtractionInput("e", "passage", text)])
    names = {mention.name for mention in extraction.mentions}
    assert "Maud Kerrigan" in names
    assert not [name for name in names if "Dufresne" in name or "Kamga" in name]
    assert [citation.keys for citation in extraction.citations] == [("dufresne 2013",), ("kamga 2018",)]


def test_a_list_of_references_has_no_entities():
    [extraction] = extract_batch([ExtractionInput("e", "passage", AUTHOR_YEAR, section=("References",))])
    assert (extraction.mentions, extraction.triples, extraction.about) == ((), (), ())
    assert len(extraction.references) == 4


LABELLED = """[Cop87] D. Cope, “Experiments in music intelligence,” 1987. [Online]. Available: http://hdl.example/2027
[HZRS15] K. He, X. Zhang, S. Ren, and J. Sun, “Deep residual learning,” arXiv preprint arXiv:1512.03385, 2015.
[KMN+02] T. Kanungo and A. Wu, “An efficient algorithm,” Pattern Analysis, vol. 24, no. 7, pp. 881–892, Jul 2002."""


def test_entries_with_labels_are_read_whatever_their_section():
    keys = ["cop87", "hzrs15", "kmn+02"]
    assert [key for key, *_ in read(LABELLED, "References")] == keys
    assert [key for key, *_ in read(LABELLED, "VI. Discussion")] == keys  # the heading of the list is not known
    assert read(f"{LABELLED}\nThese are old.", "VI. Discussion") == []
    assert read("[1] We met in 1999.\n[2] We left in 2004.", "Minutes") == []  # numbered sentences


def test_labels_in_brackets_are_citations_and_no_names():
    text = "Karpathy trained networks [Kar15b] like those of others [KMN+02, HZRS15]."
    keys = [key for citation in find_citations(text) for key in citation.keys]
    assert keys == ["kar15b", "kmn+02", "hzrs15"]
    (extraction,) = extract_batch([ExtractionInput("e", "passage", text)])
    assert not [mention for mention in extraction.mentions if "15" in mention.name]


def test_the_letter_of_a_heading_is_no_initial():
    text = "It was trained on a collection of his works and wrote plays of its own."
    (extraction,) = extract_batch([ExtractionInput("e", "passage", text, section=("A. Shakespeare",))])
    assert {mention.name for mention in extraction.mentions if "Shakespeare" in mention.name} <= {"Shakespeare"}
