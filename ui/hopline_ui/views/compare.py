"""Compare: several strategies side by side on one question, or evaluated on a question set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape

import streamlit as st

from hopline.client import Hopline
from hopline.evaluation import Question
from hopline.records import Collection, Feedback
from hopline.results import TraceStep
from hopline.results.labels import describe_location, format_model_error, label_evidence, shorten
from hopline_ui import search_scope
from hopline_ui.comparison import build_table, rank_evidence, select_default_strategies, summarize_overlap
from hopline_ui.error_messages import report_errors
from hopline_ui.evaluation_run import (
    EvaluationRun,
    build_feedback_questions,
    list_score_rows,
    read_uploaded_questions,
    start_evaluation,
    write_csv,
)
from hopline_ui.formatting import describe_path
from hopline_ui.markup import escape_markdown, format_count
from hopline_ui.passage_html import summarize
from hopline_ui.session import cache
from hopline_ui.session.questions import SessionQuestion, TimedAnswer, ask_timed
from hopline_ui.session.state import get_state

MAX_COMPARED = 4  # strategies side by side
MAX_EVALUATED = 8  # strategies on a question set
MAX_EVIDENCE = 5  # per strategy
EXCERPT_LENGTH = 220
POLL_SECONDS = 0.5
METRICS = ("F1", "match", "answered", "abstained", "cited", "R@5", "page@5", "MRR")  # shown; the CSV has all


def show(hop: Hopline, collections: Sequence[Collection]) -> None:
    """Show the page."""
    comparison, evaluation = st.tabs(["One question", "Question set"])
    with comparison:
        _show_comparison(hop, collections)
    with evaluation:
        _show_evaluation(hop, collections)


def _show_comparison(hop: Hopline, collections: Sequence[Collection]) -> None:
    linked = _read_address()
    pressed, text = _show_input(linked)
    with st.container(horizontal=True, vertical_alignment="bottom", key="compare scope"):
        collection = search_scope.select_collection(collections, key="compared collection")
        strategies = _select_strategies(hop, "compared strategies", MAX_COMPARED, [item.strategy for item in linked])
    if pressed:
        if not text or not strategies:
            st.info("Enter a question and select at least one strategy.", icon=":material/edit:")
            return
        question = _build_question(text, collection, linked)
        get_state().compared = [replace(question, strategy=strategy) for strategy in strategies]
        _set_address(get_state().compared)
    elif linked and linked != get_state().compared:
        st.info("This question comes from a link. Select Compare to answer it.", icon=":material/link:")
        return
    compared = get_state().compared
    if compared:
        _set_address(compared)
        is_new = any(question not in cache.get_answers() for question in compared)
        answers = {question.strategy: _get_answer(hop, question) for question in compared}
        if is_new:
            st.rerun()  # redraws the page without the statuses
        _show_scope(compared[0])
        _show_side_by_side(answers, compared[0].question)
        with st.expander("Python code", icon=":material/code:"):
            st.code(_build_code(compared), language="python")


def _read_address() -> list[SessionQuestion]:
    """Return the questions of the address, one per strategy; a new address also sets the scope."""
    question = SessionQuestion.from_parameters({name: st.query_params.get_all(name) for name in st.query_params})
    if question is None:
        current, compared = get_state().question, get_state().compared
        if current is not None and compared and current.question != compared[0].question:
            get_state().compared = []  # the conversation has another question now
        return []
    names = st.query_params.get_all("strategy")[:MAX_COMPARED] or [""]
    linked = [replace(question, strategy=name) for name in names if name]
    state = get_state()
    if linked not in ([], state.compared, state.compared_link):
        state.compared_link = linked
        search_scope.set_collection(question.collection)
    if linked:
        _set_address(linked)
    return linked


def _set_address(compared: Sequence[SessionQuestion]) -> None:
    parameters = compared[0].to_parameters() | {"strategy": [question.strategy for question in compared]}
    st.query_params.from_dict(parameters)


def _build_question(text: str, collection: str, linked: Sequence[SessionQuestion]) -> SessionQuestion:
    """Return the question with the scope of that in the address or of the conversation, if it is one of these."""
    known = [*linked[:1], get_state().question]
    same = [item for item in known if item is not None and (item.question, item.collection) == (text, collection)]
    return same[0] if same else SessionQuestion(text, collection, "")


def _show_scope(question: SessionQuestion) -> None:
    """Show what else determines the answers of a question that comes from the conversation."""
    documents = format_count(len(question.documents), "document") if question.documents else ""
    meant = f"interpreted as: {question.interpretation}" if question.interpretation else ""
    parts = [documents, f"filter: {question.filter}" if question.filter else "", meant]
    if any(parts):
        st.caption(escape_markdown(" · ".join(filter(None, parts))))


def _show_input(linked: Sequence[SessionQuestion]) -> tuple[bool, str]:
    current = get_state().question
    text = linked[0].question if linked else current.question if current is not None else ""
    with (
        st.form("compare", border=False),
        st.container(horizontal=True, vertical_alignment="bottom", key="compare row"),
    ):
        text = st.text_input(
            "Question",
            value=text,
            placeholder="Ask a question about your documents",
            max_chars=10_000,
            autocomplete="off",
        )
        pressed = st.form_submit_button("Compare", type="primary", width=140, key="compare now")
    return pressed, text.strip()


def _select_strategies(hop: Hopline, key: str, limit: int, chosen: Sequence[str] = ()) -> list[str]:
    """Show the select box of strategies; those that are ``chosen``, or else the usual ones, are selected at first."""
    summaries = hop.strategies(usable=True)
    default = hop.settings.strategy
    others = (name for name in summaries if name != default.partition(":")[0])
    options = list(dict.fromkeys([default, *others, *(name for name in chosen if name.partition(":")[0] in summaries)]))
    selected = [*chosen] or select_default_strategies(list(summaries), default)
    return st.multiselect(
        "Strategies",
        options,
        default=[name for name in selected if name in options],
        max_selections=limit,
        key=key,
        format_func=lambda spec: spec.partition(":")[0] if spec == default else spec,
    )


def _get_answer(hop: Hopline, question: SessionQuestion) -> TimedAnswer:
    """Return the session's answer, or a new one, with a status of its steps."""
    timed = cache.get_answers().get(question)
    if timed is None:
        name = escape_markdown(question.strategy)
        with st.status(f"{name} …", type="compact") as status:

            def show_step(step: TraceStep) -> None:
                status.update(label=f"{name} · {step.request} {escape_markdown(step.name)} · {step.ms:.0f} ms")

            timed = ask_timed(hop, question, show_step)
            status.update(label=f"{name} · done", state="complete")
        cache.add_answer(question, timed)
    return timed


def _show_side_by_side(answers: Mapping[str, TimedAnswer], question: str) -> None:
    st.subheader(escape_markdown(question), anchor=False)
    st.caption(escape_markdown(summarize_overlap(answers)))
    for notice in dict.fromkeys(filter(None, (format_model_error(timed.answer) for timed in answers.values()))):
        st.warning(escape_markdown(notice), icon=":material/warning:")
    _show_table(build_table(answers))
    columns = st.columns(len(answers), gap="medium")
    for column, (name, ranked) in zip(columns, rank_evidence(answers).items(), strict=True):
        with column:
            st.html(f'<p class="name" dir="auto">{escape(name)}</p>')
            for item in ranked[:MAX_EVIDENCE]:
                unique = "" if item.other_ranks else " unique"
                location = f"<b>{item.rank}</b> {escape(describe_location(item.evidence))}"
                excerpt = shorten(summarize(item.evidence), EXCERPT_LENGTH)
                st.html(
                    f'<div class="ranked{unique}"><p class="where" dir="auto">{location}</p>'
                    f'<p class="overlap">{escape(item.overlap)}</p>'
                    f'<p class="text" dir="auto">{escape(excerpt)}</p></div>'
                )
            _show_path(answers[name])


def _show_table(rows: Sequence[Mapping[str, object]]) -> None:
    uses_model = any(row["Model calls"] for row in rows)
    seconds = st.column_config.ProgressColumn(
        "Seconds", format="%.2f", min_value=0.0, max_value=max(float(str(row["Seconds"])) for row in rows) or 1.0
    )
    excluded = set() if uses_model else {"Model calls", "Tokens", "Cost"}
    shown = [{name: value for name, value in row.items() if name not in excluded} for row in rows]
    st.dataframe(shown, hide_index=True, column_config={"Seconds": seconds})


def _show_path(timed: TimedAnswer) -> None:
    """Show the longest path to a citation, or the path to the best evidence."""
    retrieval = timed.answer.retrieval
    cited = [citation.path for sentence in timed.answer.sentences for citation in sentence.citations]
    paths = [path for path in cited if path] or retrieval.paths[:1]
    if not paths:
        return
    longest = max(paths, key=lambda path: len(path.steps))
    known = label_evidence(timed.answer.evidence)
    lines = "".join(f'<li dir="auto">{escape(line)}</li>' for line in describe_path(longest, known))
    st.html(f'<p class="kind">Evidence path</p><ol class="path">{lines}</ol>')


def _show_evaluation(hop: Hopline, collections: Sequence[Collection]) -> None:
    """Choose a question set, evaluate strategies on it, show scores as a table and a plot."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="measure row"):
        collection = search_scope.select_collection(collections, key="measured collection")
        strategies = _select_strategies(hop, "measured strategies", MAX_EVALUATED)
    origin = st.radio("Questions", ["From feedback", "From a file"], horizontal=True, key="question origin")
    is_known = collection in {item.name for item in collections}
    with report_errors("reading the question set"):
        feedback = hop.feedback.list(collection) if origin == "From feedback" and is_known else ()
        questions = _count_feedback(feedback) if origin == "From feedback" else _upload_questions()
        answers = st.toggle(
            "Score answers as well",
            value=True,
            key="score answers",
            help="Every question is answered by each strategy; with a language model, this may cost money.",
        )
        label = f"Evaluate {format_count(len(questions), 'question')}" if questions else "Evaluate"
        if st.button(label, key="measure", type="primary", disabled=not (questions and strategies)):
            get_state().evaluation = start_evaluation(hop, questions, strategies, collection, answers=answers)
    run = get_state().evaluation
    if run is None:
        return
    _show_progress(run)
    if run.error:
        st.error(escape_markdown(run.error), icon=":material/error:")
    if run.result is not None:
        _show_scores(run)


def _count_feedback(feedback: Sequence[Feedback]) -> list[Question]:
    """Return the questions of the feedback, and say how many there are and how many are left out."""
    questions = build_feedback_questions(feedback)
    left_out = len(feedback) - len(questions)
    count = f"{format_count(len(questions), 'question')} with a known answer or source."
    unknown = f" {left_out:,} left out: wrong, and the correct answer is not known." if left_out else ""
    st.caption(count + unknown if feedback else "This collection has no feedback yet. Give it below an answer.")
    return questions


def _upload_questions() -> list[Question]:
    """Show the upload of a question set, and return its questions; none before a file is chosen.

    Raises:
        UsageError: a row is not a question.
    """
    st.caption(
        'Questions with known evidence, one JSON object per line: `{"question", "answer", "gold": [ids]}` '
        'or `{"question", "answer", "evidence": [{"document", "page", "quote"}]}`.'
    )
    file = st.file_uploader("Question set", type=["jsonl", "gz"], key="question set")
    if file is None:
        return []
    file.seek(0)
    return read_uploaded_questions(file)


def _show_progress(run: EvaluationRun) -> None:
    if run.finished:
        return

    @st.fragment(run_every=POLL_SECONDS)
    def follow() -> None:
        if run.finished:
            st.rerun()
        current = next(
            (name for name in run.strategies if run.completed.get(name, 0) < run.questions), run.strategies[-1]
        )
        done = f"{run.completed.get(current, 0):,} of {format_count(run.questions, 'question')}"
        st.progress(run.progress, text=f"{escape_markdown(current)}: {done}")

    follow()


def _show_scores(run: EvaluationRun) -> None:
    assert run.result is not None
    scores = run.result.strategies[0].scores
    metrics = [name for name in METRICS if name in scores] or list(scores)[:3]
    rows = list_score_rows(run.result)
    st.caption(
        f"{format_count(run.result.questions, 'question')} on “{escape_markdown(run.collection)}”, means in percent; "
        f"differences are those to {escape_markdown(run.result.baseline)}, with their 95 % confidence interval. "
        "Select a header to sort."
    )
    shown = {"Strategy", "p50 ms", "Failed", *metrics, *(f"{name} difference" for name in metrics)}
    st.dataframe([{name: value for name, value in row.items() if name in shown} for row in rows], hide_index=True)
    st.download_button(
        "All scores as CSV", write_csv(rows), "scores.csv", "text/csv", key="scores csv", icon=":material/download:"
    )
    if not metrics:
        message = "None of these questions has a known answer or known evidence, so only latencies were measured."
        st.info(message, icon=":material/rule:")
        return
    points = [
        {"Strategy": row.strategy, "p50 ms": row.p50, metrics[0]: 100 * row.scores[metrics[0]].mean}
        for row in run.result.strategies
    ]
    st.scatter_chart(points, x="p50 ms", y=metrics[0], color="Strategy")


def _build_code(compared: Sequence[SessionQuestion]) -> str:
    first = compared[0]
    strategies = [question.strategy for question in compared]
    return (
        "from hopline import Hopline\n\nwith Hopline.open() as hop:\n"
        f"    results = hop.compare({first.question!r}, strategies={strategies!r}, collection={first.collection!r})"
    )
