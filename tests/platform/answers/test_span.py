from dataclasses import replace

import pytest

from hopline.answers.span import compose_span_answer
from hopline.learned.reading import Reading
from hopline.questions.analysis import analyse_question
from hopline.reader import confidence
from hopline.reader.confidence import FEATURES, RatedReading, compute_features, rate_readings
from hopline.reader.reading import SpanReading, find_unit
from hopline.results import Answer, Evidence, EvidencePath, Node, PathStep, Retrieval

PLANT = Evidence(
    "plant", "passage", 1.0, "The Brack Plant is run by Tidewell. It is new.", "a.pdf", sentences=((0, 35), (36, 46))
)
FOUNDED = Evidence("founded", "passage", 0.9, "Tidewell was founded by Maud Kerrigan.", "b.pdf", sentences=((0, 38),))
AGAIN = Evidence("again", "passage", 0.8, "Maud Kerrigan founded Tidewell.", "c.pdf", sentences=((0, 31),))
QUESTION = "Who founded the company that runs the Brack Plant?"


def read(evidence: Evidence, short: str, margin: float, answered: float = 0.0) -> SpanReading:
    start = evidence.text.index(short)
    end = start + len(short)
    rank = [PLANT, FOUNDED, AGAIN].index(evidence)
    scores = Reading(start, end, margin, answered, 0.0, start)
    return SpanReading(evidence, rank, start, end, find_unit(evidence, start, end), scores, scores)


def build_retrieval(*paths: EvidencePath) -> Retrieval:
    return Retrieval(QUESTION, "hopline", "default", (PLANT, FOUNDED, AGAIN), paths)


@pytest.fixture(autouse=True)
def plain_weights(monkeypatch):
    """A rating that depends on the margin and the agreement only."""
    weights = {"margin": 10.0, "agreement": 0.5}
    monkeypatch.setattr(confidence, "_load_weights", lambda _: tuple(weights.get(name, 0.0) for name in FEATURES))


def compose(question: str, *readings: SpanReading, paths: tuple[EvidencePath, ...] = ()) -> Answer:
    pairs = zip(readings, rate_readings(analyse_question(question), readings), strict=True)
    return compose_span_answer(
        analyse_question(question), build_retrieval(*paths), [RatedReading(*pair) for pair in pairs], threshold=0.3
    )


def test_the_likeliest_span_is_the_short_answer_and_its_sentence_is_cited():
    answer = compose(QUESTION, read(PLANT, "Tidewell", -1.0), read(FOUNDED, "Maud Kerrigan", 3.0))
    assert (answer.short, answer.abstained, answer.written_by) == ("Maud Kerrigan", False, "reader")
    [sentence] = answer.sentences
    assert sentence.text == sentence.citations[0].quote == FOUNDED.text
    assert answer.confidence == pytest.approx(0.9526, abs=1e-3)


def test_the_same_answer_in_another_document_is_cited_too_and_makes_it_surer():
    alone = compose(QUESTION, read(FOUNDED, "Maud Kerrigan", 1.0))
    both = compose(QUESTION, read(FOUNDED, "Maud Kerrigan", 1.0), read(AGAIN, "Maud Kerrigan", 0.9))
    assert [citation.document for citation in both.sentences[0].citations] == ["b.pdf", "c.pdf"]
    assert (both.confidence or 0) > (alone.confidence or 1)


def test_the_sentences_that_the_path_leads_over_are_part_of_the_answer():
    tidewell = Node("e2", "entity", "Tidewell")
    path = EvidencePath(
        "founded",
        Node("e1", "entity", "Brack Plant"),
        (
            PathStep(Node("e1", "entity", "Brack Plant"), "ABOUT", Node("plant", "passage", "a.pdf")),
            PathStep(Node("plant", "passage", "a.pdf"), "MENTIONS", tidewell),
            PathStep(tidewell, "ABOUT", Node("founded", "passage", "b.pdf")),
        ),
    )
    answer = compose(QUESTION, read(FOUNDED, "Maud Kerrigan", 3.0), paths=(path,))
    assert [sentence.text for sentence in answer.sentences] == [FOUNDED.text, "The Brack Plant is run by Tidewell."]


def test_the_sentences_of_earlier_hops_are_part_of_the_answer():
    rated = [RatedReading(read(FOUNDED, "Maud Kerrigan", 3.0), 0.8, (read(PLANT, "Tidewell", 3.0),))]
    answer = compose_span_answer(analyse_question(QUESTION), build_retrieval(), rated, threshold=0.3)
    assert [sentence.text for sentence in answer.sentences] == [FOUNDED.text, "The Brack Plant is run by Tidewell."]


def test_a_reason_is_answered_with_the_following_sentence():
    answer = compose("Why is it run by Tidewell?", read(PLANT, "Tidewell", 3.0))
    assert [sentence.text for sentence in answer.sentences] == ["The Brack Plant is run by Tidewell.", "It is new."]


def test_an_unsure_reading_is_no_answer_but_its_sentences_are_shown_as_the_nearest():
    answer = compose(QUESTION, read(PLANT, "Tidewell", -3.0), read(FOUNDED, "Maud Kerrigan", -2.0))
    assert (answer.abstained, answer.short, answer.sentences) == (True, "", ())
    assert [sentence.text for sentence in answer.nearest] == [FOUNDED.text, "The Brack Plant is run by Tidewell."]
    assert (answer.confidence or 1) < 0.2


def test_the_nearest_sentences_are_in_the_order_of_their_best_readings():
    readings = [(FOUNDED, "Maud Kerrigan", 0.2), (PLANT, "Tidewell", 0.1), (FOUNDED, "Tidewell", 0.05)]
    rated = [RatedReading(read(evidence, short, -2.0), rating) for evidence, short, rating in readings]
    answer = compose_span_answer(analyse_question(QUESTION), build_retrieval(), rated, threshold=0.3)
    assert answer.short == "Maud Kerrigan"
    assert [sentence.text for sentence in answer.nearest] == [FOUNDED.text, "The Brack Plant is run by Tidewell."]


@pytest.mark.parametrize(
    ("question", "verdict", "short"),
    [
        ("Is the plant run by Tidewell?", "yes", "yes"),
        ("Did Tidewell run the plant?", "no", "no"),
        ("Is it Tidewell or Brack that runs it?", "", "Tidewell"),
        ("Why is the plant run by Tidewell?", "", ""),
        ("How many run it?", "", "Tidewell"),
    ],
)
def test_the_short_answer_follows_the_kind_of_question(question, verdict, short):
    rated = [RatedReading(replace(read(PLANT, "Tidewell", 3.0), verdict=verdict), 0.9)]
    assert compose_span_answer(analyse_question(question), build_retrieval(), rated, threshold=0.3).short == short


def test_features_count_agreement_and_absent_names_of_the_question():
    rows = compute_features(
        analyse_question(QUESTION), [read(FOUNDED, "Maud Kerrigan", 1.0, 2.0), read(AGAIN, "Maud Kerrigan", -5.0, -5.0)]
    )
    first, second = (dict(zip(FEATURES, row, strict=True)) for row in rows)
    assert first["absent"] == second["absent"] == 1.0  # neither Brack nor Plant is named
    assert (first["agreement"], second["agreement"]) == (0.0, 1.0)  # only a positive reading counts as agreement
    assert first["margin"] == pytest.approx(0.1)
    for question in (QUESTION, "no names here"):
        assert (
            compute_features(analyse_question(question), [read(PLANT, "Tidewell", 0.0)])[0][FEATURES.index("absent")]
            == 0.0
        )


def test_the_shipped_weights_rate_in_0_to_1(monkeypatch):
    monkeypatch.undo()
    low, high = rate_readings(
        analyse_question(QUESTION), [read(PLANT, "Tidewell", -20.0, -20.0), read(FOUNDED, "Maud Kerrigan", 20.0, 20.0)]
    )
    assert 0 <= low < 0.2 < 0.8 < high <= 1
