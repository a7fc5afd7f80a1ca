import pytest

TEXT = "Ada Brandt met John Miles at the University of Oslo in 1998. Brandt taught there."


def names(extraction):
    return {mention.name: mention for mention in extraction.mentions}


def test_a_mention_has_a_span_for_each_place(read):
    brandt = names(read(TEXT))["Ada Brandt"]
    assert [TEXT[a:b] for a, b in brandt.spans] == ["Ada Brandt", "Brandt"]
    assert brandt.aliases == ("Brandt",)
    assert brandt.kind == "PERSON"


def test_a_date_is_a_mention_of_kind_date(read):
    assert names(read(TEXT))["1998"].kind == "DATE"


def test_a_date_keeps_its_day(read):
    assert "4 April 1940" in names(read("Marcel Trillat (born 4 April 1940) is a French journalist."))


def test_a_title_in_quotes_is_a_work(read):
    mention = names(read('George Raft appeared in a radio show" The Cases of Mr. Ace".'))["The Cases of Mr. Ace"]
    assert mention.kind == "WORK_OF_ART"


def test_a_nickname_in_quotes_is_no_work(read):
    mentions = names(read('Benjamin "Ben" Lamb is an American poker player.'))
    assert "Ben" not in mentions or mentions["Ben"].kind != "WORK_OF_ART"


def test_a_noun_phrase_of_two_words_is_a_mention(read):
    assert (
        names(read("The fee is charged on most motor vehicles in the congestion charge zone."))[
            "congestion charge zone"
        ].kind
        == "NOUN"
    )


@pytest.mark.parametrize("vague", ["first film", "company", "same time", "film", "It", "two members"])
def test_a_vague_phrase_is_no_mention(read, vague):
    text = "The company made its first film. It lost two members at the same time. The film failed."
    assert vague not in names(read(text))


def test_a_name_continues_across_of(read):
    assert "Duke of Nassau" in names(read("He succeeded his father as Duke of Nassau in 1816."))


def test_two_spellings_are_one_mention(read):
    text = "François Hollande met Mr. Miles. Later Francois Hollande left."
    assert len([name for name in names(read(text)) if "Hollande" in name]) == 1


def test_a_subject_is_mentioned_at_every_occurrence(read):
    text = "The tomato is the edible fruit of a plant. Raw tomato tastes sweet."
    tomato = names(read(text, title="Tomato"))["Tomato"]
    assert [text[a:b].lower() for a, b in tomato.spans] == ["tomato", "tomato"]
