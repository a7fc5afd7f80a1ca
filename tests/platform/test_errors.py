"""Messages of errors."""

from hopline.errors import UnknownName


def test_an_unknown_name_lists_the_known_ones_or_says_what_would_work():
    assert str(UnknownName("collection", "loan", ["b", "a"])) == "no collection called 'loan'; there are: a, b"
    assert str(UnknownName("node", "abc", advice="pass an id")) == "no node called 'abc'; pass an id"
    assert str(UnknownName("node", "abc", ["a"], advice="pass an id")) == "no node called 'abc'; there are: a"
    assert str(UnknownName("strategy", "abc", [])) == "no strategy called 'abc'; there is none so far"
