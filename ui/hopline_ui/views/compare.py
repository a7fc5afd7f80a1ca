"""Compare: several strategies side by side on one question, or evaluated on a question set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import streamlit as st

from hopline.client import Hopline
from hopline.records import Collection
from hopline.results import TraceStep
from hopline.results.labels import describe_location, format_model_error, label_evidence, shorten
from hopline_ui import search_scope
from hopline_ui.comparison import build_table, rank_evidence, select_default_strategies, summarize_overlap
from hopline_ui.error_messages import report_errors
from hopline_ui.evaluation_run import EvaluationRun, read_uploaded_questions, start_evaluation
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
METRICS = ("R@5", "all@5", "MRR")


def show(hop: Hopline, collections: Sequence[Collection]) -> None:
    """Show the page."""
    comparison, evaluation = st.tabs(["One question", "Question set"])
    with comparison:
        _show_comparison(hop, collections)
    with evaluation:
        _show_evaluation(hop, collections)


def _show_comparison(hop: Hopline, collections: Sequence[Collection]) -> None:
    pressed, text = _show_input()
    with st.container(horizontal=True, vertical_alignment="bottom", key="compare scope"):
        collection = search_scope.select_collection(collections, key="compared collection")
        strategies = _select_strategies(hop, "compared strategies", MAX_COMPARED)
    if pressed:
        if not text or not strategies:
            st.info("Enter a question and select at least one strategy.", icon=":material/edit:")
            return
        get_state().compared = [SessionQuestion(text, collection, strategy) for strategy in strategies]
    compared = get_state().compared
    if compared:
        is_new = any(question not in cache.get_answers() for question in compared)
        answers = {question.strategy: _get_answer(hop, question) for question in compared}
        if is_new:
            st.rerun()  # redraws the page without the statuses
        _show_side_by_side(answers, compared[0].question)
        with st.expander("Python code", icon=":material/code:"):
            st.code(_build_code(compared), language="python")


def _show_input() -> tuple[bool, str]:
    with (
        st.form("compare", border=False),
        st.container(horizontal=True, vertical_alignment="bottom", key="compare row"),
    ):
        text = st.text_input(
            "Question",
            value=st.session_state.get("question text", ""),
            placeholder="Ask a question about your documents",
            max_chars=10_000,
            autocomplete="off",
        )
        pressed = st.form_submit_button("Compare", type="primary", width=140, key="compare now")
    return pressed, text.strip()


def _select_strategies(hop: Hopline, key: str, limit: int) -> list[str]:
    summaries = hop.strategies(usable=True)
    default = hop.settings.strategy
    options = list(dict.fromkeys([default, *(name for name in summaries if name != default.partition(":")[0])]))
    return st.multiselect(
        "Strategies",
        options,
        default=[name for name in select_default_strategies(list(summaries), default) if name in options],
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
    """Upload questions with known evidence, evaluate strategies, show scores as a table and a plot."""
    st.caption(
        'Questions with known evidence, one JSON object per line: `{"question", "answer", "gold": [ids]}` '
        'or `{"question", "answer", "evidence": [{"document", "page", "quote"}]}`.'
    )
    file = st.file_uploader("Question set", type=["jsonl", "gz"], key="question set")
    with st.container(horizontal=True, vertical_alignment="bottom", key="measure row"):
        collection = search_scope.select_collection(collections, key="measured collection")
        strategies = _select_strategies(hop, "measured strategies", MAX_EVALUATED)
        pressed = st.button("Evaluate", key="measure", type="primary", disabled=not (file and strategies))
    if pressed and file is not None:
        with report_errors("reading the question set"):
            questions = read_uploaded_questions(file)
            get_state().evaluation = start_evaluation(hop, questions, strategies, collection)
    run = get_state().evaluation
    if run is None:
        return
    _show_progress(run)
    if run.error:
        st.error(escape_markdown(run.error), icon=":material/error:")
    if run.result is not None:
        _show_scores(run)


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
    rows = [
        {"Strategy": row.strategy}
        | {name: f"{100 * row.scores[name].mean:.1f} ({_format_difference(row.against.get(name))})" for name in metrics}
        | {"p50 ms": round(row.p50, 1), "p95 ms": round(row.p95, 1), "Failed": row.failed}
        for row in run.result.strategies
    ]
    st.caption(
        f"{format_count(run.result.questions, 'question')} on “{escape_markdown(run.collection)}”; in parentheses the "
        f"difference to {escape_markdown(run.result.baseline)} with its 95 % confidence interval."
    )
    st.dataframe(rows, hide_index=True)
    if not metrics:
        message = "None of these questions has known evidence, so only latencies were measured."
        st.info(message, icon=":material/rule:")
        return
    points = [
        {"Strategy": row.strategy, "p50 ms": row.p50, metrics[0]: 100 * row.scores[metrics[0]].mean}
        for row in run.result.strategies
    ]
    st.scatter_chart(points, x="p50 ms", y=metrics[0], color="Strategy")


def _format_difference(difference: object) -> str:
    """As "+1.5, -0.3 to +3.2" in percentage points; "—" for the baseline."""
    if difference is None:
        return "—"
    mean, low, high = (100 * getattr(difference, name) for name in ("mean", "low", "high"))
    return f"{mean:+.1f}, {low:+.1f} to {high:+.1f}"


def _build_code(compared: Sequence[SessionQuestion]) -> str:
    first = compared[0]
    strategies = [question.strategy for question in compared]
    return (
        "from hopline import Hopline\n\nwith Hopline.open() as hop:\n"
        f"    results = hop.compare({first.question!r}, strategies={strategies!r}, collection={first.collection!r})"
    )
