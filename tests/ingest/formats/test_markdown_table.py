from hopline_ingest.formats.markdown_table import render_table


def test_a_table_has_a_rule_under_its_header_and_bars_are_escaped():
    text, spans = render_table((("a|b", "c"), ("1", "")))
    assert text == "| a\\|b | c |\n| --- | --- |\n| 1 |  |"
    assert [[text[start:end] for start, end in row] for row in spans] == [["a\\|b", "c"], ["1", ""]]


def test_a_header_alone_and_no_table_at_all():
    assert render_table((("a", "b"),))[0] == "| a | b |\n| --- | --- |"
    assert render_table(()) == ("", [])
