import gzip
import json
import random
import re
from pathlib import Path

import pytest

from hopline.ids import normalize_name
from hopline_ingest.extraction import ExtractionInput, extract_batch
from hopline_ingest.extraction.subjects.selection import clean_heading, select_subjects

SHARED = Path(__file__).resolve().parents[4] / "shared"


def subjects(extraction):
    return [subject.name for subject in extraction.about if subject.by in {"subject", "definition"}]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("London is the capital of England.", "London"),
        ("Live at Carnegie Hall is the ninth album by a band.", "Live at Carnegie Hall"),
        ('"Memories" is a song by the band Weezer.', "Memories"),
        ("Creature from the Black Lagoon is a 1954 monster film.", "Creature from the Black Lagoon"),
        ("Ledger Hill (26 July 1871 – 6 September 1950) was a cricketer.", "Ledger Hill"),
        ("Lucy Elizabeth Fry (born 13 March 1992) is an actress.", "Lucy Fry"),
        ('Benjamin "Ben" Lamb (born March 31, 1985) is a poker player.', "Ben Lamb"),
        ("Sir Angus Ogilvy was a British businessman.", "Angus Ogilvy"),
        ("Halcyon Robotics, Inc. is a company in Oslo.", "Halcyon Robotics"),
        ("Pontotoc is a city in Pontotoc County, Mississippi.", "Pontotoc, Mississippi"),
        ("William Niederst, better known as Liam Lynch, is a musician.", "Liam Lynch"),
        ("In 1979, the Riverton Bridge was opened to traffic.", "Riverton Bridge"),
        ("Walram II of Nassau,( – 24 January 1276), was Count of Nassau.", "Walram II of Nassau"),
    ],
)
def test_the_subject_of_the_opening_is_the_subject_of_the_passage(read, text, name):
    assert name in subjects(read(text))


@pytest.mark.parametrize(
    "text",
    [
        "Currently, the army is divided into branches.",
        "She was born in Oslo.",
        "The company is based in Oslo.",
        "This is a list of rivers.",
    ],
)
def test_adverbs_pronouns_and_vague_words_are_no_subject(read, text):
    words = {"currently", "she", "company", "this", "the company"}
    assert words.isdisjoint(name.lower() for name in subjects(read(text)))


def test_a_definition_has_its_own_source_and_a_high_score(read):
    first = read("Mokujin is a fictional character in Tekken.").about[0]
    assert (first.name, first.by) == ("Mokujin", "definition")
    assert first.score > 0.5


def test_the_title_comes_first_without_its_suffix(read):
    first = read("Leviathan is a roller coaster.", title="Leviathan (roller coaster)").about[0]
    assert (first.name, first.by, first.score) == ("Leviathan", "title", 1.0)


def test_scores_are_probabilities_and_descend(read):
    scores = [
        subject.score for subject in read("Lucy Elizabeth Fry (born 13 March 1992) is an actress.", title="Fry").about
    ]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)


def test_no_subject_is_repeated(read):
    names = [
        normalize_name(subject.name)
        for subject in read("The Office is a series.", title="Office", section=("Office",)).about
    ]
    assert names == ["office"]


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("3.2 Halcyon Robotics", "Halcyon Robotics"),
        ("Item 7. Legal Proceedings", "Legal Proceedings"),
        ("6.3 Seller concentration (Table 6.5)", "Seller concentration"),
        ("A. Google DeepDream", "Google DeepDream"),
        ("B.2 Halcyon Robotics", "Halcyon Robotics"),
        ("IV. HALCYON ROBOTICS", "HALCYON ROBOTICS"),
        ("IBM", "IBM"),
        ("Introduction", ""),
        ("4 Results and Discussion", ""),
        ("1.2.3", ""),
        ("", ""),
        ("This heading goes on for much too long to name any one single thing", ""),
    ],
)
def test_a_heading_that_names_something_is_a_subject(heading, name):
    assert clean_heading(heading) == name


def test_a_table_is_about_its_caption():
    table = ExtractionInput("t", "table", "", caption="Table 2: Sales by region", section=("Results",))
    assert [(subject.name, subject.by) for subject in select_subjects(table)] == [("Sales by region", "caption")]


@pytest.mark.shared
@pytest.mark.parametrize(("corpus", "share"), [("hotpotqa", 0.77), ("2wiki", 0.79), ("musique", 0.53)])
def test_hidden_titles_are_found_among_the_subjects(corpus, share):
    path = SHARED / "data" / "multihop" / corpus / "corpus.jsonl.gz"
    if not path.exists():
        pytest.skip(f"no {path}")
    lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    rows = [json.loads(line) for line in random.Random(11).sample(lines, 400)]
    read = extract_batch([ExtractionInput(row["id"], "passage", row["text"]) for row in rows])
    bare = [normalize_name(re.sub(r"\s*\([^()]*\)$", "", row["title"])) for row in rows]
    hits = sum(title in map(normalize_name, subjects(extraction)) for title, extraction in zip(bare, read, strict=True))
    assert hits / len(rows) >= share
    assert sum(len(subjects(extraction)) for extraction in read) / len(rows) < 2.5


def test_the_title_of_a_longer_document_has_a_lower_score_than_that_of_a_page(read):
    whole = read("It rose.", title="Annual report").about[0]
    part = read("It rose.", title="Annual report", section=("Halcyon Robotics",)).about
    assert whole.score == 1.0
    assert [(subject.name, subject.by) for subject in part] == [
        ("Halcyon Robotics", "heading"),
        ("Annual report", "title"),
    ]


def test_a_company_is_a_subject_with_and_without_its_legal_form(read):
    names = [subject.name for subject in read("It grew.", title="10-K", section=("PepsiCo, Inc.",)).about]
    assert {"PepsiCo, Inc.", "PepsiCo"} <= set(names)


def test_a_separate_line_is_not_part_of_the_subject(read):
    text = "Twelve months\nHalcyon Robotics was larger."
    extraction = read(text, sentences=((0, 13), (14, len(text))))
    assert subjects(extraction)[0] == "Halcyon Robotics"


def test_a_pronoun_does_not_refer_to_the_title_of_a_longer_document(state_triples):
    fields = {"title": "Annual report on terns", "section": ("Results",)}
    assert state_triples("It received less attention in Oslo. Many terns nest.", **fields) == set()
