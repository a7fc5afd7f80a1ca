import unicodedata

import pytest

from hopline.errors import DocumentError
from hopline_ingest.formats.text_decoding import decode_text

WORDS = "Café – naïve “quotes”\n"
SAMPLES = {
    "iso8859_2": "Most w Łodzi zbudował Władysław Żak w 1902. Rzeka płynie przez miasto i wpada do morza.\n",
    "cp1251": "Владимир Орлов основал верфь в 1907 году. Верфь строила корабли для флота.\n",
    "koi8_r": "Владимир Орлов основал верфь в 1907 году. Верфь строила корабли для флота.\n",
    "gbk": "船厂由李明于1907年建立。它位于城市的东部，每年建造十二艘船。\n",
    "big5": "船廠由李明於1907年建立。它位於城市的東部，每年建造十二艘船。\n",
    "shift_jis": "造船所は1907年に山田太郎によって設立されました。毎年十二隻の船を建造します。\n",
    "euc_kr": "조선소는 1907년에 김철수가 세웠다. 해마다 열두 척의 배를 만든다.\n",
    "iso8859_7": "Το ναυπηγείο ιδρύθηκε το 1907 από τον Γιάννη. Κάθε χρόνο κατασκευάζει δώδεκα πλοία.\n",
    "cp1254": "Tersane 1907 yılında Işıl Şahin tarafından kuruldu. Her yıl on iki gemi yapar.\n",
    "cp1252": "Die Werft wurde 1907 von Jürgen Groß gegründet. Sie baut zwölf Schiffe – für 40 € pro Stück.\n",
}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"])
def test_unicode_encodings_and_windows_1252_are_detected(encoding):
    assert decode_text(WORDS.encode(encoding)) == WORDS


@pytest.mark.parametrize("charset", SAMPLES)
def test_a_charset_is_detected_by_the_language_that_it_gives(charset):
    assert decode_text(SAMPLES[charset].encode(charset)) == SAMPLES[charset]


@pytest.mark.parametrize(
    ("declaration", "charset"),
    [
        ('<meta charset="windows-1257">', "cp1257"),
        ("<META http-equiv='Content-Type' content='text/html; charset=windows-1250'>", "cp1250"),
        ('<?xml version="1.0" encoding="iso-8859-5"?>', "iso8859_5"),
        ("<meta charset=iso-2022-jp>", "iso2022_jp"),
    ],
)
def test_a_declared_charset_is_used(declaration, charset):
    words = {"cp1257": "Žemė", "cp1250": "Loď", "iso8859_5": "Верфь", "iso2022_jp": "造船所"}[charset]
    text = f"<html><head>{declaration}</head><p>{words}</p>"
    assert decode_text(text.encode(charset)) == text


def test_utf_8_is_used_whatever_is_declared():
    text = "<meta charset=iso-8859-1><p>Żak naïve</p>"
    assert decode_text(text.encode()) == text


@pytest.mark.parametrize("declared", ["utf-16", "no-such-charset", "iso-8859-1"])
def test_a_declaration_that_cannot_be_true_or_means_windows_1252_gives_windows_1252(declared):
    text = f"<meta charset={declared}><p>café – 40 €</p>"
    assert decode_text(text.encode("cp1252")) == text


def test_accents_are_composed():
    assert decode_text(unicodedata.normalize("NFD", "Café Brûlé").encode()) == "Café Brûlé"


def test_line_ends_of_every_system_are_one():
    assert decode_text(b"a\r\nb\rc\n") == "a\nb\nc\n"


def test_bytes_that_are_not_text_are_rejected():
    with pytest.raises(DocumentError, match="not a text file"):
        decode_text(bytes(range(32)) * 40)
