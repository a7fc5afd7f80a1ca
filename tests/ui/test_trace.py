"""The timeline of a trace and the rows of a response."""

import numpy as np

from hopline.flow.encoding import decode, encode
from hopline.flow.requests import Hits
from hopline.results import TraceStep
from hopline_ui.components.trace import build_rows, render_timeline


def test_bars_are_consecutive_and_failures_are_marked():
    html = render_timeline(
        [TraceStep("search", "<b>", 30.0, rows=3), TraceStep("ask", "m", 10.0, tokens=1200, detail={"error": {}})]
    )
    assert "margin-left:0.00%;width:max(75.00%, 2px)" in html
    assert "margin-left:75.00%;width:max(25.00%, 2px)" in html
    assert 'class="ask failed"' in html
    assert "1,200 tokens" in html
    assert "&lt;b&gt;" in html
    assert "<b>" not in html


def test_steps_without_duration_have_a_bar():
    assert "width:max(0.00%, 2px)" in render_timeline([TraceStep("embed", "e", 0.0)])


def test_a_response_becomes_rows_with_shortened_cells():
    assert build_rows(Hits(("a", "b"), (0.91234, 0.5))) == [
        {"rank": 1, "id": "a", "score": 0.9123},
        {"rank": 2, "id": "b", "score": 0.5},
    ]
    columns = decode(
        encode({"id": ["a"] * 30, "text": ["x" * 999] * 30, "vector": [[0.5] * 384] * 30, "none": [None] * 30})
    )
    rows = build_rows(columns)
    assert len(rows) == 20
    assert rows[0] == {"id": "a", "text": "x" * 300, "vector": "384 numbers", "none": ""}
    assert build_rows(np.zeros((1, 4))) == []
