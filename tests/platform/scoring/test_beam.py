from math import exp, inf, sqrt

import numpy as np
import pytest

from hopline.scoring.beam import Beam, BeamTriple, extend_beams, flatten_beams, start_beams


def test_beams_start_with_the_triples_nearest_to_the_question_without_penalty():
    beams = start_beams([BeamTriple("t1", "p1", 0.3), BeamTriple("t2", "p2", 0.9), BeamTriple("t3", "p3", -0.4)], 2)
    assert [(beam.triples[0].id, beam.score) for beam in beams] == [("t2", 0.9), ("t1", 0.3)]


def test_a_negative_cosine_counts_as_0():
    assert start_beams([BeamTriple("t", "p", -0.4)], 1)[0].score == 0.0


def test_the_cosine_of_a_beam_is_that_of_the_sum_of_its_vectors():
    question, first, second = np.array([1.0, 0, 0]), np.array([0.6, 0.8, 0]), np.array([0.0, 0.6, 0.8])
    beam = start_beams([BeamTriple("t1", "p1", float(question @ first))], 1)[0]
    link = BeamTriple("t2", "p2", float(question @ second), float(first @ second))
    total = first + second
    assert beam.cosine(link) == pytest.approx(float(question @ total) / np.linalg.norm(total))
    assert beam.extend(link, 0.0).norm == pytest.approx(np.linalg.norm(total))


@pytest.mark.parametrize("score", [0.0, 0.5])
def test_the_sum_of_the_second_extension_of_a_beam_has_a_lower_weight(score):
    beam = Beam((BeamTriple("t0", "p0", 0.0),), score, 0.0, 1.0)
    links = [BeamTriple("t1", "p1", 0.8), BeamTriple("t2", "p2", 0.6)]
    first, second = extend_beams([beam], [links], width=5, gamma=20)
    assert first.score == pytest.approx(score + 0.8 / sqrt(2))
    assert second.score == pytest.approx((score + 0.6 / sqrt(2)) * exp(-1 / 20))


def test_the_weight_falls_until_the_position_gamma():
    beam = Beam((BeamTriple("t0", "p0", 0.0),), 1.0, 0.0, 1.0)
    links = [BeamTriple(f"t{n}", f"p{n}", 0.0) for n in range(1, 5)]
    scores = [extended.score for extended in extend_beams([beam], [links], width=5, gamma=2)]
    assert scores == pytest.approx([1.0, exp(-0.5), exp(-1.0), exp(-1.0)])


def test_an_infinite_gamma_weighs_no_extension_down():
    beam = Beam((BeamTriple("t0", "p0", 0.0),), 1.0, 0.0, 1.0)
    links = [BeamTriple(f"t{n}", f"p{n}", 0.0) for n in range(1, 5)]
    assert [extended.score for extended in extend_beams([beam], [links], width=5, gamma=inf)] == [1.0] * 4


def test_a_low_extension_of_a_high_beam_may_rank_below_the_first_of_another_beam():
    high, low = start_beams([BeamTriple("t1", "p1", 0.9), BeamTriple("t2", "p2", 0.8)], 2)
    neighbours = [[BeamTriple("t3", "p3", 0.5), BeamTriple("t4", "p4", 0.5)], [BeamTriple("t5", "p5", 0.5)]]
    extended = extend_beams([high, low], neighbours, width=3, gamma=2)
    # sums: t3 and t4 .9 + 1.4 / √2, t5 .8 + 1.3 / √2; that of t4 is weighted by e^-½
    assert [beam.triples[-1].id for beam in extended] == ["t3", "t5", "t4"]
    assert extended[2].score == pytest.approx((0.9 + 1.4 / sqrt(2)) * exp(-0.5))


def test_triples_of_any_beam_are_skipped_and_a_beam_without_neighbours_ends():
    first, second = start_beams([BeamTriple("t1", "p1", 0.9), BeamTriple("t2", "p2", 0.8)], 2)
    grown = extend_beams(
        [first, second],
        [[BeamTriple("t2", "p2", 0.8), BeamTriple("t3", "p3", 0.1)], [BeamTriple("t1", "p1", 0.9)]],
        5,
        10,
    )
    assert [[link.id for link in beam.triples] for beam in grown] == [["t1", "t3"]]


def test_one_new_triple_may_extend_several_beams():
    beams = start_beams([BeamTriple("t1", "p1", 0.9), BeamTriple("t2", "p2", 0.8)], 2)
    grown = extend_beams(beams, [[BeamTriple("t3", "p3", 0.5)], [BeamTriple("t3", "p3", 0.5)]], 5, 10)
    assert len(grown) == 2


def test_beams_are_flattened_breadth_first_without_duplicates():
    links = [BeamTriple(f"t{n}", f"p{n}", 0.5) for n in range(4)]
    beams = [Beam((links[0], links[1]), 1, 1, 1), Beam((links[2], links[0]), 1, 1, 1), Beam((links[3],), 1, 1, 1)]
    assert flatten_beams(beams) == ["p0", "p2", "p3", "p1"]
