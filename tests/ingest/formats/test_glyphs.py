from hopline_ingest.formats.pdf.text.glyphs import Glyph, drop_overprints, repair_ligatures


def set_in_ten_points(text: str, wide: set[int] = frozenset(), width: float = 5.0) -> list[Glyph | None]:  # type: ignore[assignment]
    glyphs: list[Glyph | None] = []
    x = 0.0
    for index, character in enumerate(text):
        across = 10.0 if index in wide else width
        glyphs.append(None if character == "|" else Glyph(character, (x, 0.0, x + across, 10.0), 10.0, bold=False))
        x += across
    return glyphs


def text_of(glyphs: list[Glyph | None]) -> str:
    return "".join(glyph.text if glyph else "|" for glyph in glyphs)


def test_an_h_as_wide_as_two_is_a_th_and_shares_its_place() -> None:
    whole = repair_ligatures(set_in_ten_points("he path| his with", wide={0, 9}))
    assert text_of(whole) == "The path| This with"
    first, second = whole[:2]
    assert first is not None
    assert second is not None
    assert (first.rect, second.rect) == ((0.0, 0.0, 5.0, 10.0), (5.0, 0.0, 10.0, 10.0))


def test_letters_that_are_all_wide_stay_what_they_are() -> None:
    glyphs = set_in_ten_points("high north", width=10.0)
    assert repair_ligatures(glyphs) == glyphs


def test_pages_without_an_h_or_of_no_size_pass() -> None:
    none = [Glyph("h", (0.0, 0.0, 0.0, 0.0), 0.0, bold=False), None]
    assert repair_ligatures(none) == none
    assert repair_ligatures([]) == []


def shift(glyphs: list[Glyph], by: float) -> list[Glyph]:
    return [Glyph(g.text, (g.rect[0] + by, g.rect[1], g.rect[2] + by, g.rect[3]), g.size, g.bold) for g in glyphs]


def join(glyphs: list[Glyph | None]) -> str:
    return "".join(glyph.text for glyph in glyphs if glyph)


def test_letters_that_are_drawn_twice_a_little_apart_count_once(set_text) -> None:
    glyphs = set_text("fill in Millville")
    letter_by_letter = [twin for glyph in glyphs for twin in (glyph, *shift([glyph], 0.8))]
    for drawn in (letter_by_letter, [*glyphs, *shift(glyphs, 0.8)]):
        assert " ".join(join(drop_overprints(drawn)).split()) == "fill in Millville"


def test_double_letters_and_letters_of_one_ligature_are_all_kept(set_text) -> None:
    assert join(drop_overprints(set_text("Millville coffee"))) == "Millville coffee"
    ligature = set_text("f") * 2 + set_text("i")
    assert join(drop_overprints(ligature)) == "ffi"


def test_the_same_letters_on_other_lines_are_kept(set_text) -> None:
    assert join(drop_overprints([*set_text("lil", y=100), *set_text("lil", y=112)])) == "lillil"
