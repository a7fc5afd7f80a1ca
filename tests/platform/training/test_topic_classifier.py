"""Training of topic classifiers, from labels and from clusters."""

import json

import numpy as np
import pytest

from hopline.errors import UsageError
from hopline.evaluation import Question, QuestionStep
from hopline.flow.requests import Ask, Reply
from hopline.flow.run import run
from hopline.flow.services import Scope, Services
from hopline.learned.registry import ModelRegistry
from hopline.training.topic_classifier import TopicTrainingData, choose_recipe, train_topic_classifier
from hopline.training.topic_clustering import choose_topic_count, cluster_passages, extract_terms, name_clusters
from hopline.training.topic_sets import extract_first_sentence, fetch_question_pairs, sample_evenly
from hopline.training.training_loop import Recipe

TOPICS = [
    "the ferry left the harbour with cargo and passengers", "slate was cut in the quarry and carried to roofs",
    "terns and gulls breed on the cliffs and dive for herring",
]  # fmt: skip


def vectors_of(groups, *, seed=3):
    """A vector for each group number, near the axis of the group."""
    rows = np.eye(8, dtype=np.float32)[groups] + np.random.default_rng(seed).normal(0, 0.1, (len(groups), 8))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def test_labels_are_learned_and_the_shifter_predicts_the_topics_of_the_answer(tmp_path):
    groups = [n % 3 for n in range(240)]
    vectors = vectors_of(groups)
    about = np.eye(3, dtype=bool)[groups]
    answers = vectors_of([(group + 1) % 3 for group in groups])  # the answer always has the next topic
    reports = []
    data = TopicTrainingData(["ships", "stone", "birds"], vectors, about, (vectors, answers))
    card = train_topic_classifier(
        data, tmp_path, "sea", recipe=Recipe(epochs=12, batch=32, rate=1e-2), on_progress=reports.append
    )
    assert card.figures["held out, micro F1"] > 95
    assert card.figures["held out, KL shifted"] < 0.3 * card.figures["held out, KL unshifted"]
    assert {progress.phase for progress in reports} == {"themes", "shifter"}

    assert card.part == "themes/sea"
    inputs = {"vectors": vectors[:3]}
    models = ModelRegistry(_as_home(tmp_path))
    assert models.infer("themes/sea", inputs).argmax(axis=1).tolist() == [0, 1, 2]
    assert models.infer("themes/sea", {**inputs, "expected": True}).argmax(axis=1).tolist() == [1, 2, 0]
    with pytest.raises(UsageError, match="hopline topics"):
        models.infer("themes/land", inputs)


def _as_home(folder):
    """The folder as the ``themes`` of a home."""
    home = folder / "home"
    home.mkdir()
    (home / "themes").symlink_to(folder)
    return home


def test_pairs_of_the_shifter_are_sub_questions_with_their_passages_where_steps_are_known(tiny):
    graph = tiny()
    for key in ("bridge", "vale"):
        graph.passage(key, key, [1, 0, 0, 0])
    bridge, vale = graph.id("bridge"), graph.id("vale")
    steps = (
        QuestionStep("Who drew it?", (bridge,)),
        QuestionStep("Where did she study?", (vale,)),
        QuestionStep("Why?"),
    )
    questions = [
        Question("1", "Where did the drawer study?", gold=(bridge, vale), steps=steps),
        Question("2", "Who was she?", gold=(vale, "nowhere"), steps=(QuestionStep("Who?"),)),
        Question("3", "Without gold?"),
    ]
    services = Services(graph.store, graph.embedder)
    step_pairs, question_pairs = run(fetch_question_pairs(questions), services, Scope(graph.collection)).result
    assert step_pairs == [("Who drew it?", bridge), ("Where did she study?", vale)]
    assert question_pairs == [("Who was she?", vale)]


def test_many_labels_are_learned_from_few_texts(tmp_path):
    groups = [n % 39 for n in range(400)]
    means = np.random.default_rng(5).normal(size=(39, 64))
    vectors = (means[groups] + np.random.default_rng(6).normal(0, 0.5, (400, 64))).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    data = TopicTrainingData([str(n) for n in range(39)], vectors, np.eye(39, dtype=bool)[groups], (vectors, vectors))
    assert train_topic_classifier(data, tmp_path, "many").figures["held out, micro F1"] > 90


def test_a_shifter_that_does_not_improve_is_discarded(tmp_path):
    groups = [n % 3 for n in range(60)]
    vectors = vectors_of(groups)
    data = TopicTrainingData(["ships", "stone", "birds"], vectors, np.eye(3, dtype=bool)[groups], (vectors, vectors))
    card = train_topic_classifier(data, tmp_path, "same", recipe=Recipe(epochs=3, batch=32, rate=1e-2))
    assert card.figures["held out, KL unshifted"] == 0.0
    models, inputs = ModelRegistry(_as_home(tmp_path)), {"vectors": vectors[:3]}
    assert np.array_equal(
        models.infer("themes/same", {**inputs, "expected": True}), models.infer("themes/same", inputs)
    )


def test_fewer_rows_get_more_epochs():
    assert [choose_recipe(rows).epochs for rows in (0, 100, 5000, 10**6)] == [200, 200, 39, 1]
    assert choose_recipe(5000, epochs=3).epochs == 3


def test_too_few_texts_are_refused(tmp_path):
    few = vectors_of([0, 1, 2])
    with pytest.raises(UsageError, match="20 texts"):
        train_topic_classifier(TopicTrainingData(["a"], few, np.ones((3, 1), dtype=bool), (few, few)), tmp_path, "x")


def test_a_passage_between_two_clusters_belongs_to_both():
    vectors = vectors_of([0] * 20 + [1] * 20)
    between = np.array([[1, 1, 0, 0, 0, 0, 0, 0]], dtype=np.float32) / np.sqrt(2)
    clusters = cluster_passages(np.vstack([vectors, between]), 2)
    first, second = clusters.members[:20, :], clusters.members[20:40, :]
    assert first.sum(axis=0).max() == 20
    assert (first.argmax(axis=1) != second.argmax(axis=1)).all()
    assert clusters.members[40].all()


def test_no_cluster_is_empty_where_all_passages_are_alike():
    assert cluster_passages(np.tile(vectors_of([0]), (30, 1)), 8).members.shape == (30, 1)


def test_a_topic_is_named_by_its_distinctive_terms():
    texts = [f"{TOPICS[n % 3]} in the year {n}" for n in range(30)]
    terms = extract_terms(texts, np.eye(3, dtype=bool)[[n % 3 for n in range(30)]])
    assert {"harbour", "ferry"} & {word for term in terms[0] for word in term.split()}
    assert {"quarry", "slate"} & {word for term in terms[1] for word in term.split()}
    assert not any("year" in term.split() for some in terms for term in some)
    for some in terms:
        words = [word for term in some for word in term.split()]
        assert len(words) == len(set(words))


def test_texts_without_words_get_numbered_names():
    about = np.eye(2, dtype=bool)
    assert extract_terms(["…", "1 2 3"], about) == [["topic 1"], ["topic 2"]]


def test_the_model_names_topics_and_unusable_replies_leave_the_terms():
    texts = [TOPICS[n % 3] for n in range(12)]
    clusters = cluster_passages(vectors_of([n % 3 for n in range(12)]), 3)
    flow = name_clusters(texts, clusters, by_model=True)
    request = next(flow)
    assert isinstance(request, Ask)
    replies = [Reply("", {"name": "At sea"}), Reply("", {"name": "At sea"}), Reply("…", None, "no JSON")]
    with pytest.raises(StopIteration) as stop:
        flow.send(replies)
    assert stop.value.value[:2] == ["At sea (1)", "At sea (2)"]
    assert stop.value.value[2].count(",") == 2


def test_larger_collections_get_more_topics():
    assert [choose_topic_count(n) for n in (3, 400, 10_000, 10**7)] == [2, 10, 50, 128]


def test_first_sentences_and_even_samples():
    assert extract_first_sentence("Orre is an island. It has quarries.") == "Orre is an island."
    assert sample_evenly(10, 3) == [0, 4, 9]
    assert sample_evenly(2, 5) == [0, 1]
    assert sample_evenly(0, 5) == []
    assert json.dumps(sample_evenly(4, 2))  # plain integers
