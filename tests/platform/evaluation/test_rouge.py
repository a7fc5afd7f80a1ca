"""ROUGE-Lsum, computed by hand."""

import pytest

from hopline.evaluation.rouge import rouge_lsum


def test_the_same_is_1_and_nothing_shared_is_0():
    assert rouge_lsum("Slate is grey. Terns dive.", ["Slate is grey. Terns dive."]) == 1.0
    assert rouge_lsum("Slate is grey.", ["Terns dive."]) == 0.0
    assert rouge_lsum("", ["Terns dive."]) == 0.0
    assert rouge_lsum("Terns dive.", []) == 0.0


def test_order_counts_within_a_sentence_and_not_between_sentences():
    assert rouge_lsum("Terns dive. Slate is grey.", ["Slate is grey. Terns dive."]) == 1.0
    # of four words three are in order ("b c d" or "a …"): precision and recall 3/4
    assert rouge_lsum("bravo charlie delta alpha", ["alpha bravo charlie delta"]) == pytest.approx(0.75)


def test_subsequences_with_several_sentences_are_united():
    # Lin's example: w1 w2 w3 w4 w5 against "w1 w2 w6 w7 w8" and "w1 w3 w8 w9 w5": the union is w1 w2 w3 w5
    right = "one two three four five"
    candidate = "one two six seven eight.\none three eight nine five."
    recall, precision = 4 / 5, 4 / 10
    assert rouge_lsum(candidate, [right]) == pytest.approx(2 * precision * recall / (precision + recall))


def test_a_word_counts_no_more_often_than_it_occurs_on_the_other_side():
    assert rouge_lsum("slate.", ["slate. slate. slate."]) == pytest.approx(2 * 1 * (1 / 3) / (1 + 1 / 3))


def test_words_match_by_stem_and_the_best_correct_answer_counts():
    assert rouge_lsum("The ferries sailed", ["a tern", "the ferry sails"]) == 1.0
