"""Questions in other languages than English get the closest sentence or cell, as a possible answer."""

from __future__ import annotations

import pytest

from hopline.answers.closest_match import rank_units
from hopline.answers.composition import NOT_ENGLISH
from hopline.questions.analysis import analyse_question

SENTENCES = {
    "泊位的租金是多少？": "泊位的租金每月一百二十克朗。",
    "港务长是谁？": "港务长是李明。",
    "冬天渡轮开吗？": "冬季渡轮停航。",
    "灯塔有多高？": "灯塔的高度是三十二米。",
    "停泊料金はいくらですか？": "停泊料金は一か月一万二千円です。",
    "冬にフェリーは運航しますか？": "冬の間、フェリーは運休します。",
    "Кто начальник порта?": "Начальником порта является Анна Орлова.",
    "Когда построили маяк?": "Маяк построен в 1931 году.",
    "Wann wird der Kran geprüft?": "Er wird im Mai geprüft.",
    "Fährt die Fähre im Winter?": "Im Winter fährt die Fähre nicht.",
    "Quand la grue est-elle contrôlée ?": "Elle est contrôlée en mai.",
    "¿Circula el transbordador en invierno?": "En invierno el transbordador no circula.",
    "Quanto costa il posto barca?": "Il posto barca costa 12 corone.",
}
CELLS = {
    "帆船的费用是多少？": (["船型", "费用", "时间"], ["帆船", "80", "一晚"], "80"),
    "あおい丸の船長は誰ですか？": (["船名", "船長", "建造年"], ["あおい丸", "鈴木花子", "2005"], "鈴木花子"),
    "Какова длина лодки?": (["Судно", "Плата", "Длина"], ["Лодка", "20", "6 м"], "6 м"),
    "Wie lang ist die Jolle?": (["Boot", "Gebühr", "Länge"], ["Jolle", "20", "6 m"], "6 m"),
    "¿Cuál es la tarifa de un velero?": (["Barco", "Tarifa", "Longitud"], ["Velero", "80", "24 m"], "80"),
}
UNANSWERABLE = [
    "法国总统是谁？",
    "東京の人口は何人ですか？",
    "Кто написал роман?",
    "Wer hat den Roman geschrieben?",
    "Qui a peint la Joconde ?",
]


@pytest.fixture
def passages(passage):
    return [passage(f"p{number}", sentence) for number, sentence in enumerate(SENTENCES.values())]


@pytest.mark.parametrize("question", SENTENCES)
def test_the_closest_sentence_is_a_possible_answer(answer, passages, question):
    result = answer(question, *passages)
    assert result.status == "possible"
    assert result.possible.text == SENTENCES[question]
    assert result.possible.citations[0].quote == SENTENCES[question]


@pytest.mark.parametrize("question", CELLS)
def test_the_closest_cell_is_a_possible_answer(answer, table, passages, question):
    header, row, cell = CELLS[question]
    result = answer(question, *passages[:3], table("t", "", header, ["—", "1", "2"], row))
    assert (result.status, result.short) == ("possible", cell)
    [citation] = result.possible.citations
    assert citation.evidence.text[slice(*citation.answer)] == cell


@pytest.mark.parametrize("question", UNANSWERABLE)
def test_a_question_that_no_sentence_is_close_to_is_not_answered(answer, passages, question):
    assert answer(question, *passages).status == "not_found"


def test_without_the_reader_the_nearest_sentences_are_shown(answer, passages):
    result = answer("Wann wird der Kran geprüft?", *passages, reader=False)
    assert result.status == "not_found"
    assert result.nearest


def test_a_question_in_an_unknown_script_gets_the_nearest_sentences(answer, passages):
    result = answer("ใครเป็นผู้ก่อตั้ง", *passages)
    assert (result.status, result.notice) == ("not_found", NOT_ENGLISH)


def test_of_equally_close_sentences_the_shortest_is_first(passage):
    question = analyse_question("Wo ist die Bibliothek?")
    evidence = [passage("a", "Die Bibliothek ist am Nordkai, nahe der Werft."), passage("b", "Die Bibliothek ist zu.")]
    assert [unit.evidence.id for unit in rank_units(question, evidence)] == ["b", "a"]


def test_what_a_passage_is_about_counts_for_its_other_sentences(passage):
    others = [passage(f"o{number}", f"{sentence} 1950") for number, sentence in enumerate(SENTENCES.values())]
    old = passage("p", "Старая станция стоит у реки.", "Её построили в 1821 году.")
    ranked = rank_units(analyse_question("Когда построили старую станцию?"), [*others, old])
    assert ranked[0].evidence.text[slice(*ranked[0].span)] == "Её построили в 1821 году."
