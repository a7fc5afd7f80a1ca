"""Themes are learned: from labels, and from nothing but the texts."""

import json

import numpy as np
import pytest

from hopline.errors import UsageError
from hopline.flow.requests import Ask, Reply
from hopline.learned.registry import LearnedParts
from hopline.training.topic_classifier import Taught, recipe_for, train_themes
from hopline.training.topic_clustering import clustered, how_many, named, typical_terms
from hopline.training.topic_sets import evenly, opening
from hopline.training.training_loop import Recipe

TOPICS = [
    "the ferry left the harbour with cargo and passengers", "slate was cut in the quarry and carried to roofs",
    "terns and gulls breed on the cliffs and dive for herring",
]  # fmt: skip


def vectors_of(groups, *, seed=3):
    """A vector for each group number: near an axis of its own."""
    rows = np.eye(8, dtype=np.float32)[groups] + np.random.default_rng(seed).normal(0, 0.1, (len(groups), 8))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def test_labels_are_learned_and_the_shifter_turns_a_question_s_themes_into_those_of_its_answer(tmp_path):
    groups = [n % 3 for n in range(240)]
    vectors = vectors_of(groups)
    about = np.eye(3, dtype=bool)[groups]
    answers = vectors_of([(group + 1) % 3 for group in groups])  # what answers is always about the next theme
    heard = []
    taught = Taught(["ships", "stone", "birds"], vectors, about, (vectors, answers))
    card = train_themes(taught, tmp_path, "sea", recipe=Recipe(epochs=12, batch=32, rate=1e-2), listener=heard.append)
    assert card.figures["held out, micro F1"] > 95
    assert card.figures["held out, KL shifted"] < 0.3 * card.figures["held out, KL unshifted"]
    assert {told.phase for told in heard} == {"themes", "shifter"}

    parts = LearnedParts(tmp_path.parent)
    assert card.part == "themes/sea"
    asked = {"vectors": vectors[:3]}
    parts = LearnedParts(_as_home(tmp_path))
    assert parts.infer("themes/sea", asked).argmax(axis=1).tolist() == [0, 1, 2]
    assert parts.infer("themes/sea", {**asked, "expected": True}).argmax(axis=1).tolist() == [1, 2, 0]
    with pytest.raises(UsageError, match="hopline themes"):
        parts.infer("themes/land", asked)


def _as_home(folder):
    """The folder as the ``themes`` of a home."""
    home = folder / "home"
    home.mkdir()
    (home / "themes").symlink_to(folder)
    return home


def test_many_labels_are_learned_from_few_texts(tmp_path):
    groups = [n % 39 for n in range(400)]
    means = np.random.default_rng(5).normal(size=(39, 64))
    vectors = (means[groups] + np.random.default_rng(6).normal(0, 0.5, (400, 64))).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    taught = Taught([str(n) for n in range(39)], vectors, np.eye(39, dtype=bool)[groups], (vectors, vectors))
    assert train_themes(taught, tmp_path, "many").figures["held out, micro F1"] > 90


def test_a_shifter_that_does_not_win_is_not_kept(tmp_path):
    groups = [n % 3 for n in range(60)]
    vectors = vectors_of(groups)
    taught = Taught(["ships", "stone", "birds"], vectors, np.eye(3, dtype=bool)[groups], (vectors, vectors))
    card = train_themes(taught, tmp_path, "same", recipe=Recipe(epochs=3, batch=32, rate=1e-2))
    assert card.figures["held out, KL unshifted"] == 0.0
    parts, asked = LearnedParts(_as_home(tmp_path)), {"vectors": vectors[:3]}
    assert np.array_equal(parts.infer("themes/same", {**asked, "expected": True}), parts.infer("themes/same", asked))


def test_fewer_rows_are_gone_through_more_often():
    assert [recipe_for(rows).epochs for rows in (0, 100, 5000, 10**6)] == [200, 200, 39, 1]
    assert recipe_for(5000, epochs=3).epochs == 3


def test_too_few_texts_are_refused(tmp_path):
    few = vectors_of([0, 1, 2])
    with pytest.raises(UsageError, match="20 texts"):
        train_themes(Taught(["a"], few, np.ones((3, 1), dtype=bool), (few, few)), tmp_path, "x")


def test_clusters_are_what_lies_together_and_a_passage_between_two_is_about_both():
    vectors = vectors_of([0] * 20 + [1] * 20)
    between = np.array([[1, 1, 0, 0, 0, 0, 0, 0]], dtype=np.float32) / np.sqrt(2)
    clusters = clustered(np.vstack([vectors, between]), 2)
    first, second = clusters.about[:20, :], clusters.about[20:40, :]
    assert first.sum(axis=0).max() == 20
    assert (first.argmax(axis=1) != second.argmax(axis=1)).all()
    assert clusters.about[40].all()


def test_no_cluster_is_empty_where_all_passages_are_alike():
    assert clustered(np.tile(vectors_of([0]), (30, 1)), 8).about.shape == (30, 1)


def test_a_theme_is_named_by_what_its_passages_say_and_others_do_not():
    texts = [f"{TOPICS[n % 3]} in the year {n}" for n in range(30)]
    terms = typical_terms(texts, np.eye(3, dtype=bool)[[n % 3 for n in range(30)]])
    assert {"harbour", "ferry"} & {word for term in terms[0] for word in term.split()}
    assert {"quarry", "slate"} & {word for term in terms[1] for word in term.split()}
    assert not any("year" in term.split() for some in terms for term in some)
    for some in terms:
        words = [word for term in some for word in term.split()]
        assert len(words) == len(set(words))


def test_texts_without_a_word_still_get_names_that_differ():
    about = np.eye(2, dtype=bool)
    assert typical_terms(["…", "1 2 3"], about) == [["theme 1"], ["theme 2"]]


def test_a_model_names_themes_and_where_it_says_nothing_the_words_stay():
    texts = [TOPICS[n % 3] for n in range(12)]
    clusters = clustered(vectors_of([n % 3 for n in range(12)]), 3)
    flow = named(texts, clusters, by_model=True)
    request = next(flow)
    assert isinstance(request, Ask)
    replies = [Reply("", {"name": "At sea"}), Reply("", {"name": "At sea"}), Reply("…", None, "no JSON")]
    with pytest.raises(StopIteration) as stop:
        flow.send(replies)
    assert stop.value.value[:2] == ["At sea (1)", "At sea (2)"]
    assert stop.value.value[2].count(",") == 2


def test_a_collection_gets_more_themes_the_larger_it_is():
    assert [how_many(n) for n in (3, 400, 10_000, 10**7)] == [2, 10, 50, 128]


def test_an_opening_stands_for_a_question_and_samples_are_even():
    assert opening("Orre is an island. It has quarries.") == "Orre is an island."
    assert evenly(10, 3) == [0, 4, 9]
    assert evenly(2, 5) == [0, 1]
    assert evenly(0, 5) == []
    assert json.dumps(evenly(4, 2))  # plain integers
