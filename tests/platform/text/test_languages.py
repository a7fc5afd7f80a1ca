import pytest

from hopline.text.languages import detect_language, list_grams

QUESTIONS = {
    "Was kostet ein Liegeplatz?": "de",
    "Wer ist Hafenmeisterin?": "de",
    "Combien coûte un poste d'amarrage ?": "fr",
    "¿Cuánto levanta la grúa?": "es",
    "Quanto costa il posto barca?": "it",
    "Qual é o preço?": "pt",
    "Кто начальник порта?": "ru",
    "港务长是谁？": "zh",
    "港の管理者は誰ですか？": "ja",
    "ใครเป็นผู้ก่อตั้ง": "",
    "Who is the captain of Die Mannschaft?": "en",
    "When was La Scala built?": "en",
    "What is Le Monde?": "en",
    "Is Ada Lund a member?": "en",
    "fee yacht": "en",
    "And cows?": "en",
    "By whom?": "en",
    "2023": "en",
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_language_of_a_question_is_that_of_its_words_without_content(question):
    assert detect_language(question) == QUESTIONS[question]


def test_inflected_words_share_their_first_parts():
    assert len(list_grams("яхту") & list_grams("Яхта")) >= 2
    assert list_grams("Gebühr") == list_grams("GEBUHR")


def test_words_without_blanks_between_them_share_their_pairs():
    assert {"租", "租金"} <= list_grams("泊位的租金") & list_grams("租金是多少")
    assert not {"的", "是"} & list_grams("泊位的租金是", "zh")
