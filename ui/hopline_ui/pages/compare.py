"""Compare: several strategies on one question side by side, or on a whole question set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import streamlit as st

from hopline.client import Hopline
from hopline.rendering.labels import excerpt, model_notice, names, place
from hopline.types import Collection, TraceStep
from hopline_ui import evaluation_run, search_scope
from hopline_ui.comparison import agreement, chosen, placed, table
from hopline_ui.error_messages import calmly
from hopline_ui.formatting import path_lines
from hopline_ui.markup import counted, plain
from hopline_ui.passage_html import summary
from hopline_ui.session import cache
from hopline_ui.session.questions import Answered, Asked, answer

MOST = 4  # strategies side by side
SHOWN = 5  # evidence of each
EXCERPT = 220
POLL_SECONDS = 0.5
METRICS = ("R@5", "all@5", "MRR")


def show(hop: Hopline, collections: Sequence[Collection]) -> None:
    """The whole page."""
    one, many = st.tabs(["One question", "A question set"])
    with one:
        _one(hop, collections)
    with many:
        _many(hop, collections)


def _one(hop: Hopline, collections: Sequence[Collection]) -> None:
    with (
        st.form("compare", border=False),
        st.container(horizontal=True, vertical_alignment="bottom", key="compare row"),
    ):
        question = st.text_input(
            "Question",
            value=st.session_state.get("question text", ""),
            placeholder="Ask anything that your documents can answer",
            max_chars=10_000,
            autocomplete="off",
        )
        pressed = st.form_submit_button("Compare", type="primary", width=140, key="compare now")
    with st.container(horizontal=True, vertical_alignment="bottom", key="compare scope"):
        collection = search_scope.choose_collection(collections, key="compared collection")
        strategies = _choose(hop, "compared strategies", MOST)
    if pressed:
        if not question.strip() or not strategies:
            st.info("Write a question and choose at least one strategy.", icon=":material/edit:")
            return
        st.session_state["compared"] = [Asked(question.strip(), collection, one) for one in strategies]
    compared: list[Asked] = st.session_state.get("compared", [])
    if compared:
        fresh = any(asked not in cache.answers() for asked in compared)
        found = {asked.strategy: _answered(hop, asked) for asked in compared}
        if fresh:
            st.rerun()  # draws the page again without the statuses
        _side_by_side(found, compared[0].question)
        with st.expander("As code", icon=":material/code:"):
            st.code(_code(compared), language="python")


def _choose(hop: Hopline, key: str, most: int) -> list[str]:
    lines = hop.strategies(usable=True)
    default = hop.settings.strategy
    there = list(dict.fromkeys([default, *(name for name in lines if name != default.partition(":")[0])]))
    return st.multiselect(
        "Strategies",
        there,
        default=[name for name in chosen(list(lines), default) if name in there],
        max_selections=most,
        key=key,
        format_func=lambda spec: spec.partition(":")[0] if spec == default else spec,
    )


def _answered(hop: Hopline, asked: Asked) -> Answered:
    """The session's answer, or a new one, its steps shown as they are made."""
    found = cache.answers().get(asked)
    if found is None:
        with st.status(f"{plain(asked.strategy)} …", type="compact") as status:

            def listen(step: TraceStep) -> None:
                status.update(label=f"{plain(asked.strategy)} · {step.request} {plain(step.name)} · {step.ms:.0f} ms")

            found = answer(hop, asked, listen)
            status.update(label=f"{plain(asked.strategy)} · done", state="complete")
        cache.remember(asked, found)
    return found


def _side_by_side(found: Mapping[str, Answered], question: str) -> None:
    st.subheader(plain(question), anchor=False)
    st.caption(plain(agreement(found)))
    for notice in dict.fromkeys(filter(None, (model_notice(one.answer) for one in found.values()))):
        st.warning(plain(notice), icon=":material/warning:")
    rows = table(found)
    spent = any(row["Model calls"] for row in rows)
    seconds = st.column_config.ProgressColumn(
        "Seconds", format="%.2f", min_value=0.0, max_value=max(float(str(row["Seconds"])) for row in rows) or 1.0
    )
    left_out = set() if spent else {"Model calls", "Tokens", "Cost"}
    shown = [{name: value for name, value in row.items() if name not in left_out} for row in rows]
    st.dataframe(shown, hide_index=True, column_config={"Seconds": seconds})
    columns = st.columns(len(found), gap="medium")
    for column, (name, places) in zip(columns, placed(found).items(), strict=True):
        with column:
            st.html(f'<p class="name" dir="auto">{escape(name)}</p>')
            for one in places[:SHOWN]:
                alone = "" if one.elsewhere else " alone"
                where = f"<b>{one.rank}</b> {escape(place(one.evidence))}"
                st.html(
                    f'<div class="placed{alone}"><p class="where" dir="auto">{where}</p>'
                    f'<p class="told">{escape(one.told)}</p>'
                    f'<p class="text" dir="auto">{escape(excerpt(summary(one.evidence), EXCERPT))}</p></div>'
                )
            _path(found[name])


def _path(answered: Answered) -> None:
    """The longest way to what the answer cites, or that to the best evidence."""
    retrieval = answered.answer.retrieval
    cited = [citation.path for sentence in answered.answer.sentences for citation in sentence.citations]
    paths = [path for path in cited if path] or retrieval.paths[:1]
    if not paths:
        return
    path = max(paths, key=lambda one: len(one.steps))
    known = names(answered.answer.evidence)
    lines = "".join(f'<li dir="auto">{escape(line)}</li>' for line in path_lines(path, known))
    st.html(f'<p class="kind">Way to its evidence</p><ol class="path">{lines}</ol>')


def _many(hop: Hopline, collections: Sequence[Collection]) -> None:
    """Upload questions with known evidence, choose strategies, see the table grow into a plot."""
    st.caption(
        'Questions with known evidence, one JSON object a line: `{"question", "answer", "gold": [ids]}` '
        'or `{"question", "answer", "evidence": [{"document", "page", "quote"}]}`.'
    )
    file = st.file_uploader("Question set", type=["jsonl", "gz"], key="question set")
    with st.container(horizontal=True, vertical_alignment="bottom", key="measure row"):
        collection = search_scope.choose_collection(collections, key="measured collection")
        strategies = _choose(hop, "measured strategies", 8)
        pressed = st.button("Measure", key="measure", type="primary", disabled=not (file and strategies))
    if pressed and file is not None:
        with calmly("reading the questions"):
            questions = evaluation_run.questions_of(file)
            st.session_state["measuring"] = evaluation_run.begin(hop, questions, strategies, collection)
    run: evaluation_run.Measuring | None = st.session_state.get("measuring")
    if run is None:
        return
    _follow(run)
    if run.trouble:
        st.error(plain(run.trouble), icon=":material/error:")
    if run.result is not None:
        _figures(run)


def _follow(run: evaluation_run.Measuring) -> None:
    if run.over:
        return

    @st.fragment(run_every=POLL_SECONDS)
    def follow() -> None:
        if run.over:
            st.rerun()
        now = next((name for name in run.strategies if run.done.get(name, 0) < run.questions), run.strategies[-1])
        st.progress(run.share, text=f"{plain(now)}: {run.done.get(now, 0):,} of {counted(run.questions, 'question')}")

    follow()


def _figures(run: evaluation_run.Measuring) -> None:
    assert run.result is not None
    metrics = [name for name in METRICS if name in run.result.strategies[0].scores] or list(
        run.result.strategies[0].scores
    )[:3]
    rows = [
        {"Strategy": row.strategy}
        | {name: f"{100 * row.scores[name].mean:.1f} ({_against(row.against.get(name))})" for name in metrics}
        | {"p50 ms": round(row.p50, 1), "p95 ms": round(row.p95, 1), "Failed": row.failed}
        for row in run.result.strategies
    ]
    st.caption(
        f"{counted(run.result.questions, 'question')} on “{plain(run.collection)}”; in brackets the difference to "
        f"{plain(run.result.baseline)} with its 95 % interval."
    )
    st.dataframe(rows, hide_index=True)
    if not metrics:
        words = "None of these questions says which evidence answers it, so only times can be told."
        st.info(words, icon=":material/rule:")
        return
    points = [
        {"Strategy": row.strategy, "p50 ms": row.p50, metrics[0]: 100 * row.scores[metrics[0]].mean}
        for row in run.result.strategies
    ]
    st.scatter_chart(points, x="p50 ms", y=metrics[0], color="Strategy")


def _against(difference: object) -> str:
    if difference is None:
        return "—"
    mean, low, high = (100 * getattr(difference, name) for name in ("mean", "low", "high"))
    return f"{mean:+.1f}, {low:+.1f} to {high:+.1f}"


def _code(compared: Sequence[Asked]) -> str:
    first = compared[0]
    names_ = [asked.strategy for asked in compared]
    return (
        "from hopline import Hopline\n\nwith Hopline.open() as hop:\n"
        f"    found = hop.compare({first.question!r}, strategies={names_!r}, collection={first.collection!r})"
    )
