import pytest

from hopline_ingest.formats.html_source import prepare_html


def prepare(body):
    return prepare_html(f"<html><head><meta charset=x><title>T</title></head><body>{body}</body></html>")


def body_of(prepared):
    return prepared.html.decode().partition("<body>")[2].partition("</body>")[0]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>H<sub>2</sub>O and <b>W</b>ater, <a href=/k>Keel</a>'s</p>", "<p>H2O and Water, Keel's</p>"),
        ("<p>so<wbr>und <q>yes</q> x<script>y()</script>z</p>", "<p>sound “yes” xz</p>"),
        ("<ol><li>a<li>b</ol>", "<ul><li>1. a</li><li>2. b</li></ul>"),
        (
            "<ol start=3><li><p>a</p></li><li value=7>b</li></ol>",
            '<ul start="3"><li><p>3. a</p></li><li value="7">7. b</li></ul>',
        ),
        (
            "<ol type=a><li>x<ol type=I><li>y</ol></ol>",
            '<ul type="a"><li>a. x<ul type="I"><li>I. y</li></ul></li></ul>',
        ),
        ("<ol reversed><li>a<li>b</ol>", "<ul reversed><li>2. a</li><li>1. b</li></ul>"),
        ("<dl><dt>Span</dt><dd>212 m</dd><dd>or so</dd></dl>", "<div><div>Span: 212 m</div><div>or so</div></div>"),
        (
            "<table><tfoot><tr><td>sum</tfoot><tr><th>a<tr><td>1</table>",
            "<table><tr><th>a</th></tr><tr><td>1</td></tr><tbody><tr><td>sum</td></tr></tbody></table>",
        ),
        (
            "<table><tr><td><img src=a><td>Words.</table>",
            '<div><div><div><img src="a"></div><div>Words.</div></div></div>',
        ),
    ],
)
def test_what_docling_would_lose_or_split_becomes_plain_text(body, expected):
    assert body_of(prepare(body)) == expected


def test_a_table_of_data_stays_a_table():
    body = "<table><tr><td>Tern</td><td>4</td></tr><tr><td>Petrel</td><td>7</td></tr></table>"
    assert body_of(prepare(body)) == body


def test_a_layout_table_with_a_table_in_it_becomes_blocks_and_the_inner_one_stays():
    inner = "<table><tr><td>Tern</td><td>4</td></tr><tr><td>Petrel</td><td>7</td></tr></table>"
    prepared = body_of(prepare(f"<table><tr><td>Menu</td></tr><tr><td>{inner}</td></tr></table>"))
    assert prepared == f"<div><div><div>Menu</div></div><div><div>{inner}</div></div></div>"


def test_navigation_and_hidden_text_are_left_out_with_the_reason():
    prepared = prepare(
        "<header><a href=/>Home</a> <a href=/b>Boats</a></header><nav>Menu</nav><p hidden>old</p>"
        "<p style='display: none'>older</p><main><header><a href=/x>Kept</a></header><p>Text.</p></main>"
        "<footer>Harbour board, Kai 4</footer>"
    )
    assert prepared.left_out == ("hidden text: old", "hidden text: older", "navigation: Menu", "navigation: Home Boats")
    assert prepared.texts == ("T", "Kept", "Text.", "Harbour board, Kai 4")


def test_a_declaration_of_the_charset_is_removed_and_text_is_utf_8():
    prepared = prepare("<p>Żak</p>")
    assert b"charset" not in prepared.html
    assert "Żak".encode() in prepared.html


@pytest.mark.parametrize("text", ["", "  ", "<!-- only a comment -->"])
def test_an_empty_page_has_no_text(text):
    assert prepare_html(text).texts == ()
