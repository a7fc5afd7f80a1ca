import re
from dataclasses import replace
from itertools import pairwise

import pytest

from hopline.learned.reading import Reading
from hopline.questions.analysis import analyse_question
from hopline.reader.confidence import FEATURES, MIN_RIVAL, compute_features, rate_readings, repeats_question
from hopline.reader.reading import SpanReading, find_unit
from hopline.reader.verification import Support
from hopline.results import Evidence


@pytest.mark.parametrize(
    ("question", "short", "repeats"),
    [
        ("Who polices the neighbourhood of the Ulmer Brewery?", "the Ulmer Brewery", True),
        ("Who polices the neighbourhood of the Ulmer Brewery?", "Ulmer Brewery Company", False),
        ("Which is older, Elm or Ash?", "Ash", False),
        ("Is Elm older than Ash?", "Ash", False),
        ("Why did Elm close?", "Elm", False),
        ("Who owns Elm?", "", False),
    ],
)
def test_an_answer_that_is_part_of_the_question_is_none_unless_it_is_asked_for(question, short, repeats):
    assert repeats_question(analyse_question(question), short) is repeats


LOAN = (
    "The board did not approve the loan of 1.5 million crowns. The board approved the loan of 1,250,000 crowns in May."
)


def read(text: str, short: str) -> SpanReading:
    bounds = [0, *(match.end() for match in re.finditer(r"\. ", text)), len(text)]
    evidence = Evidence("e", "passage", 1.0, text, "a.pdf", sentences=tuple(pairwise(bounds)))
    start = text.index(short)
    end = start + len(short)
    scores = Reading(start, end, 5.0, 5.0, 0.0, start)
    return SpanReading(evidence, 0, start, end, find_unit(evidence, start, end), scores, scores)


def test_the_confidence_is_halved_if_a_name_of_the_question_is_in_no_evidence() -> None:
    text = "Varrow Water was founded by Maud Kerrigan."
    reading = read(text, "Maud Kerrigan")
    features = dict(
        zip(FEATURES, compute_features(analyse_question("Who founded Halcyon?"), [reading])[0], strict=True)
    )
    assert features["absent"] == 1
    [known] = rate_readings(analyse_question("Who founded Varrow Water?"), [reading])
    [unknown] = rate_readings(analyse_question("Who founded Halcyon?"), [reading])
    assert 0 < unknown <= known / 2


def test_a_verdict_is_surer_if_its_sentence_supports_it_and_has_the_words_of_the_question() -> None:
    question = analyse_question("Is the plant in Varrow open?")
    supported = Support(0.95, 0.04, 0.01)
    reading = replace(read("The plant in Varrow is open.", "open"), verdict="yes")
    sure, unsure = replace(reading, support=supported), replace(reading, support=Support(0.5, 0.4, 0.1))
    assert rate_readings(question, [sure])[0] > rate_readings(question, [unsure])[0]
    other = replace(read("The mill by the lake is open.", "open"), verdict="yes", support=supported)
    assert rate_readings(question, [sure])[0] > rate_readings(question, [other])[0]


def test_a_span_is_surer_if_its_sentence_supports_it() -> None:
    question = analyse_question("Who founded Varrow Water?")
    reading = read("Varrow Water was founded by Maud Kerrigan.", "Maud Kerrigan")
    supported, contradicted = (
        replace(reading, support=support) for support in (Support(0.95, 0.04, 0.01), Support(0.1, 0.85, 0.05))
    )
    assert rate_readings(question, [supported])[0] > rate_readings(question, [contradicted])[0]


def test_the_next_sentence_is_no_answer_where_a_sentence_denies_the_question_with_its_number() -> None:
    reading = read(LOAN, "May")
    assert rate_readings(analyse_question("When was the loan of 1.5 million crowns approved?"), [reading]) == [0.0]
    assert rate_readings(analyse_question("When was the loan of 1,250,000 crowns approved?"), [reading])[0] > 0.3
    assert rate_readings(analyse_question("When was the loan approved?"), [reading])[0] > 0.3


def test_the_lead_is_the_distance_to_the_best_other_answer() -> None:
    text = "Ada Quist opened the bridge. Rune Salk built it."
    first, other = read(text, "Ada Quist"), read(text, "Rune Salk")
    weaker = replace(other, rank=1, reading=Reading(0, 0, 1.0, 1.0, 0.0, 0))
    rows = compute_features(analyse_question("Who opened the bridge?"), [first, weaker])
    lead = FEATURES.index("lead")
    assert rows[0][lead] == pytest.approx((first.score - weaker.score) / 10) == pytest.approx(-rows[1][lead])
    same = replace(first, rank=1, reading=Reading(0, 0, 1.0, 1.0, 0.0, 0))
    alone = compute_features(analyse_question("Who opened the bridge?"), [first, same])[0][lead]
    assert alone == pytest.approx((first.score - MIN_RIVAL) / 10)  # there is no other answer
