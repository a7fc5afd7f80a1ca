from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log2
from typing import Any, ClassVar

import pytest

from hopline.errors import EngineUnavailable, HoplineError, ModelUnavailable, StatementError, UnknownName, UsageError
from hopline.evaluation import Question, Quote, Structure, evaluate
from hopline.evaluation.grading import GradedAnswer
from hopline.evaluation.question_scores import answer_scores, retrieval_scores
from hopline.results import Answer, Citation, Evidence, Retrieval, Sentence, Trace, TraceStep

GOLD = Evidence("n1", "passage", 1.0, "Ada wrote it in 1843.", "notes.pdf", pages=(2,), source_id="g1")
OTHER = Evidence("n2", "passage", 0.5, "It rained.", "rain.pdf", pages=(1,), source_id="x")
TRACE = Trace((TraceStep("search", "passage", 2.0, 10), TraceStep("ask", "", 30.0, 1, tokens=70, calls=2)))


@dataclass
class Canned:
    """A client with one answer; ``refused`` maps questions to the error that they end in."""

    refused: dict[str, Exception] = field(default_factory=dict)
    batches: list[int] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    single: int = 0
    documents: list[tuple[str, ...]] = field(default_factory=list)
    short: list[tuple[str, tuple[str, ...], int | None, tuple[str, ...]]] = field(default_factory=list)
    model_error: str = ""
    search_error: str = ""

    def retrieve(
        self, question: str, *, collection: str, strategy: str | None, k: int | None, documents: Sequence[str] = ()
    ) -> Retrieval:
        self.single += 1
        self.documents.append(tuple(documents))
        return self._retrieval(question, collection, strategy)

    def retrieve_many(
        self, questions: Sequence[str], *, strategy: str | None, collection: str, k: int | None
    ) -> list[Retrieval | HoplineError]:
        self.batches.append(len(questions))
        errors = {text: error for text, error in self.refused.items() if isinstance(error, HoplineError)}
        return [errors.get(text) or self._retrieval(text, collection, strategy) for text in questions]

    def ask(
        self, question: str, *, collection: str, strategy: str | None, k: int | None, documents: Sequence[str] = ()
    ) -> Answer:
        retrieval = self._retrieval(question, collection, strategy)
        if "weather" in question:
            return Answer(question, (), retrieval, abstained=True, missing=("weather",))
        sentence = Sentence("Ada wrote it.", (Citation(GOLD, GOLD.text, 0, len(GOLD.text)),))
        return Answer(question, (sentence,), retrieval, short="Ada", model_error=self.model_error)

    def create_uncached_client(self) -> "Canned":
        return self

    @property
    def evaluation(self) -> "Canned":
        return self

    def answer_in_short(
        self,
        question: str,
        *,
        collection: str,
        documents: Sequence[str],
        strategy: str,
        k: int,
        max_tokens: int | None,
        options: Sequence[str],
    ) -> Answer:
        self.short.append((question, tuple(documents), max_tokens, tuple(options)))
        retrieval = self._retrieval(question, collection, strategy)
        if self.model_error:
            return Answer(question, (), retrieval, abstained=True, model_error=self.model_error)
        return Answer(question, (Sentence("Ada", state="unsupported"),), retrieval, short="Ada")

    def grade(self, graded: Sequence[GradedAnswer]) -> list[bool]:
        return [answer.answer in answer.correct_answers for answer in graded]

    def _retrieval(self, question: str, collection: str, strategy: str | None) -> Retrieval:
        self.questions.append(question)
        if error := self.refused.get(question):
            raise error
        return Retrieval(
            question, strategy or "", collection, (OTHER, GOLD), trace=TRACE, model_error=self.search_error
        )


def test_answers_without_the_model_are_counted_with_the_reason() -> None:
    [row] = evaluate(Canned(model_error="HTTP 401"), [WHO, WHO], ["bm25"]).strategies
    assert row.errors == {"answered without the model: HTTP 401": 2}
    assert row.failed == 0


def test_retrievals_that_the_model_failed_are_counted_with_the_reason() -> None:
    [row] = evaluate(Canned(search_error="after 1 reply: HTTP 401"), [WHO, WHO], ["ircot"]).strategies
    assert row.errors == {"the model of the search failed after 1 reply: HTTP 401": 2}
    assert row.failed == 0


WHO = Question("1", "Who wrote it?", ("Ada",), ("g1", "g2"), (Quote("notes.pdf", 2, "Ada wrote it in 1843."),))
NEAR_MISS = Question("2", "What was the weather?", answerable=False)


def test_a_retrieval_is_scored_by_hand() -> None:
    retrieval = Canned()._retrieval("", "c", "s")
    assert retrieval_scores(WHO, retrieval, k=10) == {
        "R@2": 0.5, "R@5": 0.5, "R@10": 0.5, "all@5": 0.0, "all@10": 0.0, "P@5": 0.5, "P@10": 0.5, "nDCG@10": pytest.approx((1 / log2(3)) / (1 + 1 / log2(3))), "MRR": 0.5,
        "quote@10": 1.0, "page@5": 1.0, "page@10": 1.0,
    }  # fmt: skip


def test_every_structure_of_the_question_must_be_retrieved() -> None:
    here, there = Structure("notes.pdf", 2), Structure("rain.pdf", 7)
    for structures, score in [((here,), 1.0), ((here, there), 0.0)]:
        question = Question("3", "What is on page 2?", structures=structures)
        assert retrieval_scores(question, Canned()._retrieval("", "c", "s"), k=10) == {"Struct-EM": score}


def test_the_strategy_gold_gets_the_gold_evidence() -> None:
    class Recording(Canned):
        specs: ClassVar[list[str]] = []

        def retrieve(
            self, question: str, *, collection: str, strategy: str | None, k: int | None, documents: Sequence[str] = ()
        ) -> Retrieval:
            self.specs.append(strategy or "")
            return super().retrieve(question, collection=collection, strategy=strategy, k=k)

    evaluate(Recording(), [WHO, Question("4", "Odd?", gold=("a|b, c",))], ["gold"], answers=False)
    assert Recording.specs[1:] == ["gold:ids=g1|g2", "gold:ids=a%7Cb%2C%20c"]


def test_cutoffs_above_k_are_left_out() -> None:
    assert set(retrieval_scores(WHO, None, k=5)) == {"R@2", "R@5", "all@5", "P@5", "MRR", "page@5"}


def test_a_failed_question_scores_nothing_in_every_metric_that_it_has() -> None:
    assert set(retrieval_scores(WHO, None, k=10).values()) == {0.0}
    assert answer_scores(WHO, None) == {"answered": 0.0, "EM": 0.0, "F1": 0.0, "match": 0.0, "cited": 0.0}
    assert answer_scores(NEAR_MISS, None) == {"abstained": 0.0}


def test_answers_abstentions_and_failures_are_counted_side_by_side() -> None:
    failing = Question("3", "Who lost?", ("Ada",), ("g1",))
    client = Canned({"Who lost?": StatementError("gnn_ret/neighbours.cypher:3: no such index")})
    row = evaluate(client, [WHO, NEAR_MISS, failing], ["dense"], collection="c").strategies[0]
    means = {name: figure.mean for name, figure in row.scores.items()}
    assert means["R@5"] == pytest.approx((0.5 + 0.0) / 2)
    assert means["answered"] == 0.5
    assert means["EM"] == means["F1"] == 0.5
    assert means["abstained"] == 1.0
    assert means["cited"] == means["cited if given"] == 1.0
    assert row.failed == 1
    assert row.errors == {"StatementError: gnn_ret/neighbours.cypher:3: no such index": 1}
    assert (row.calls, row.tokens, row.timed) == (4, 140, 2)
    assert 0 < row.p50 <= row.p95


def test_an_unexpected_error_fails_its_question_only(caplog: pytest.LogCaptureFixture) -> None:
    failing = Question("3", "Who lost?", ("Ada",), ("g1",))
    client = Canned({"Who lost?": ValueError("month must be in 1..12")})
    row = evaluate(client, [failing, WHO, failing], ["dense"], collection="c").strategies[0]
    assert row.errors == {"ValueError: month must be in 1..12": 2}
    assert (row.failed, row.timed) == (2, 1)
    assert row.scores["answered"].mean == pytest.approx(1 / 3)
    assert "ValueError" in caplog.text


def test_a_batch_with_an_unexpected_error_is_retrieved_one_by_one(caplog: pytest.LogCaptureFixture) -> None:
    questions = [Question(str(n), f"q{n}", gold=("g1",)) for n in range(70)]
    client = Canned({"q60": ValueError("a fault of a strategy")})
    [row] = evaluate(client, questions, ["dense"], answers=False).strategies
    assert client.batches == [20]
    assert row.errors == {"ValueError: a fault of a strategy": 1}
    assert (row.timed, row.failed) == (50, 1)
    assert "one by one" in caplog.text


@pytest.mark.parametrize("answers", ["product", "paper", False])
def test_the_first_question_warms_up_the_client_that_is_measured(answers: Any) -> None:
    class WithCache(Canned):
        def create_uncached_client(self) -> Canned:
            return measured

        def _retrieval(self, question: str, collection: str, strategy: str | None) -> Retrieval:
            raise AssertionError("the client with a cache was used")

    measured = Canned()
    [row] = evaluate(WithCache(), [WHO], ["dense"], answers=answers).strategies
    assert row.failed == 0
    assert measured.questions == ["Who wrote it?"] * 2


def test_without_answers_questions_run_side_by_side_and_the_first_are_timed() -> None:
    client = Canned({"q60": ModelUnavailable("no model")})
    questions = [Question(str(n), f"q{n}", gold=("g1",)) for n in range(120)]
    seen: list[tuple[str, int, int]] = []
    table = evaluate(client, questions, ["dense"], answers=False, on_progress=lambda *step: seen.append(step))
    row = table.strategies[0]
    assert client.single == 51  # one before the clock, fifty under it
    assert client.batches == [64, 6]
    assert (row.timed, row.failed) == (50, 1)
    assert row.scores["R@2"].mean == pytest.approx(119 / 120)
    assert "EM" not in row.scores
    assert seen == [("dense", 50, 120), ("dense", 114, 120), ("dense", 120, 120)]


@pytest.mark.parametrize("answers", ["product", "paper", False])
@pytest.mark.parametrize("error", [EngineUnavailable("gone"), UnknownName("strategy", "dens", ["dense"])])
def test_what_would_fail_every_question_alike_ends_the_run(error: HoplineError, answers: Any) -> None:
    with pytest.raises(type(error)):
        evaluate(Canned({"Who wrote it?": error}), [WHO], ["dense"], answers=answers)


def test_the_engine_lost_within_a_batch_ends_the_run() -> None:
    questions = [Question(str(n), f"q{n}") for n in range(60)]
    with pytest.raises(EngineUnavailable):
        evaluate(Canned({"q55": EngineUnavailable("gone")}), questions, ["dense"], answers=False)


def test_no_questions_are_no_evaluation() -> None:
    with pytest.raises(UsageError, match="at least one question"):
        evaluate(Canned(), [], ["dense"])


def test_the_table_as_data_names_collection_strategies_and_intervals() -> None:
    table = evaluate(Canned(), [WHO], ["dense", "bm25"], collection="c").to_dict()
    assert (table["collection"], table["questions"], table["k"]) == ("c", 1, 10)
    assert [row["strategy"] for row in table["strategies"]] == ["dense", "bm25"]
    assert table["strategies"][0]["scores"]["R@5"] == {"mean": 0.5, "low": 0.5, "high": 0.5, "questions": 1}


def test_strategies_are_compared_question_by_question_with_the_baseline() -> None:
    class Better(Canned):
        def _retrieval(self, question: str, collection: str, strategy: str | None) -> Retrieval:
            evidence = (GOLD, OTHER) if strategy == "hybrid" else (OTHER, GOLD)
            return Retrieval(question, strategy or "", collection, evidence, trace=TRACE)

    table = evaluate(Better(), [WHO, WHO], ["dense", "hybrid"], answers=False, baseline="dense")
    dense, hybrid = table.strategies
    assert dense.against == {}
    assert (hybrid.against["MRR"].mean, hybrid.against["MRR"].low) == (0.5, 0.5)
    assert hybrid.against["R@5"].mean == 0
    assert table.to_dict()["baseline"] == "dense"
    with pytest.raises(UsageError, match="one of the strategies dense"):
        evaluate(Better(), [WHO], ["dense"], baseline="bm25")


def test_what_the_model_cost_is_summed() -> None:
    class Paid(Canned):
        def _retrieval(self, question: str, collection: str, strategy: str | None) -> Retrieval:
            trace = Trace((TraceStep("ask", "", 30.0, 1, tokens=70, calls=2, cost=0.25),))
            return Retrieval(question, strategy or "", collection, (GOLD,), trace=trace)

    assert evaluate(Paid(), [WHO, WHO], ["dense"], answers=False).strategies[0].cost == 0.5


def test_the_model_grades_answers_and_no_answer_is_wrong() -> None:
    weather = Question("3", "What was the weather?", ("rain",))
    wrong = Question("4", "Who read it?", ("Charles",))
    table = evaluate(Canned(), [WHO, weather, wrong, NEAR_MISS], ["dense"], grade=True)
    assert (table.strategies[0].scores["accuracy"].mean, table.strategies[0].scores["accuracy"].questions) == (1 / 3, 3)
    with pytest.raises(UsageError, match="grading needs answers"):
        evaluate(Canned(), [WHO], ["dense"], answers=False, grade=True)


def test_answers_as_in_papers_are_scored_by_what_the_model_says() -> None:
    client = Canned()
    choice = Question("3", "Who? (A) Ada; (B) Bo", ("Ada",), options=("Ada", "Bo"))
    table = evaluate(client, [WHO, NEAR_MISS, choice], ["dense"], k=5, answers="paper", answer_tokens=3500)
    means = {name: figure.mean for name, figure in table.strategies[0].scores.items()}
    assert means["answered"] == means["EM"] == means["F1"] == means["match"] == means["choice"] == 1.0
    assert not {"abstained", "cited"} & set(means)
    assert client.short[1:] == [
        (WHO.text, (), 3500, ()),
        (NEAR_MISS.text, (), 3500, ()),
        (choice.text, (), 3500, ("Ada", "Bo")),
    ]
    assert (table.answers, table.answer_tokens) == ("paper", 3500)
    assert table.to_dict()["answers"] == "paper"


def test_a_question_to_which_the_model_gives_no_answer_failed_but_its_retrieval_counts() -> None:
    [row] = evaluate(Canned(model_error="HTTP 401"), [WHO, WHO], ["dense"], answers="paper").strategies
    assert (row.failed, row.errors) == (2, {"no answer of the model: HTTP 401": 2})
    assert (row.scores["R@5"].mean, row.scores["EM"].mean, row.scores["answered"].mean) == (0.5, 0.0, 0.0)
    assert row.calls == 4


def test_each_question_may_be_asked_of_its_own_documents() -> None:
    questions = [Question(str(n), f"q{n}", gold=("g1",), documents=(f"d{n}", "x")) for n in range(60)]
    client = Canned()
    table = evaluate(client, questions, ["dense"], answers=False, own_documents=True)
    assert client.documents[1:] == [question.documents for question in questions]
    assert table.own_documents
    evaluate(client, questions[:1], ["dense"], answers="paper", own_documents=True)
    assert client.short[-1][1] == ("d0", "x")


def test_a_question_is_asked_with_its_own_filter_and_that_of_the_run() -> None:
    questions = [Question("1", "q1", gold=("g1",), filter="year > 2000"), Question("2", "q2", gold=("g1",))]
    client = FilteredClient()
    evaluate(client, questions, ["dense"], answers=False)
    assert client.filters[1:] == ["year > 2000", ""]
    evaluate(client, questions, ["dense"], answers=False, filter="pages = 1")
    assert client.filters[-2:] == ["(pages = 1) and (year > 2000)", "pages = 1"]
    assert client.batches == []


class FilteredClient(Canned):
    """A client with one retrieval that notes the filters."""

    def __init__(self) -> None:
        super().__init__()
        self.filters: list[str] = []

    def retrieve(self, question: str, *, filter: str = "", **scope: Any) -> Retrieval:  # type: ignore[override]
        self.filters.append(filter)
        return super().retrieve(question, **scope)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"answers": True}, "answers must be"),
        ({"answers": "product", "answer_tokens": 100}, "answer_tokens must be at least 1"),
        ({"answers": "paper", "answer_tokens": 0}, "answer_tokens must be at least 1"),
        ({"own_documents": True}, "question 1 has no documents of its own"),
    ],
)
def test_settings_that_do_not_fit_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        evaluate(Canned(), [WHO], ["dense"], **options)
