import io

import numpy as np
import pypdfium2
import pytest
from PIL import Image

from hopline.documents.images import convert_image, is_image
from hopline.errors import DocumentError


def save_image(path, image, **options):
    image.save(path, **options)
    return path


def sizes_of(pdf):
    with pypdfium2.PdfDocument(pdf) as document:
        return [tuple(round(side) for side in page.get_size()) for page in document]


@pytest.mark.parametrize(
    ("name", "mode", "options", "size"),
    [
        ("a.png", "RGB", {"dpi": (200, 200)}, (216, 108)),
        ("a.png", "RGBA", {}, (288, 144)),
        ("a.png", "P", {}, (288, 144)),
        ("a.jpg", "L", {"dpi": (100, 100)}, (432, 216)),
        ("a.tif", "1", {"dpi": (300, 300)}, (144, 72)),
        ("a.png", "RGB", {"dpi": (5000, 5000)}, (288, 144)),
    ],
)
def test_an_image_is_a_page_of_its_size(tmp_path, name, mode, options, size):
    path = save_image(tmp_path / name, Image.new(mode, (600, 300)), **options)
    assert sizes_of(convert_image(path)) == [size]


def test_pages_of_a_tiff_are_pages_and_a_photograph_is_upright_and_not_a_metre_wide(tmp_path):
    pages = [Image.new("L", (300, 150 * n), "white") for n in (1, 2)]
    path = save_image(tmp_path / "a.tiff", pages[0], save_all=True, append_images=pages[1:], dpi=(150, 150))
    assert sizes_of(convert_image(path)) == [(144, 72), (144, 144)]
    exif = Image.Exif()
    exif[0x0112] = 6  # rotated by a quarter
    photograph = save_image(tmp_path / "a.jpg", Image.new("RGB", (4000, 2000)), exif=exif, dpi=(72, 72))
    assert sizes_of(convert_image(photograph)) == [(900, 1800)]


def test_transparent_parts_are_white(tmp_path):
    path = save_image(tmp_path / "a.png", Image.new("RGBA", (40, 40), (0, 0, 0, 0)))
    with pypdfium2.PdfDocument(convert_image(path)) as document:
        assert document[0].render().to_pil().convert("RGB").getpixel((5, 5)) == (255, 255, 255)


def read_pixel(pdf, position):
    with pypdfium2.PdfDocument(pdf) as document:
        return document[0].render(scale=2).to_pil().convert("L").getpixel(position)


def test_light_writing_on_transparent_ground_stays_visible(tmp_path):
    image = Image.new("RGBA", (400, 400), (0, 0, 0, 0))
    image.paste("white", (0, 0, 100, 100))
    pdf = convert_image(save_image(tmp_path / "a.png", image))
    assert (read_pixel(pdf, (20, 20)), read_pixel(pdf, (300, 300))) == (255, 0)


@pytest.mark.parametrize(
    ("kind", "white", "name"),
    [
        ("<u2", 65_535, "a.png"),
        ("<u2", 65_535, "a.tif"),
        (">u2", 65_535, "a.tif"),
        ("i4", 65_535, "a.tif"),
        ("f4", 1, "a.tif"),
    ],
)
def test_images_of_more_than_eight_bits_are_as_dark_as_they_are_drawn(tmp_path, kind, white, name):
    shades = np.full((400, 400), white, dtype=kind)
    shades[:, :100] = white / 2
    shades[:, 100:200] = 0
    image = Image.fromarray(shades)
    pdf = convert_image(save_image(tmp_path / name, image))
    grey, black, paper = (read_pixel(pdf, (x, 100)) for x in (40, 140, 300))
    assert (black, paper) == (0, 255)
    assert grey == pytest.approx(128, abs=3)


@pytest.mark.parametrize(("name", "kind"), [("a.png", "PNG"), ("a.jpg", "MPO")])
def test_an_animation_or_a_photograph_with_its_preview_is_one_page(tmp_path, name, kind):
    frames = [Image.new("RGB", (300, 150), colour) for colour in ("white", "grey")]
    path = save_image(tmp_path / name, frames[0], format=kind, save_all=True, append_images=frames[1:])
    assert sizes_of(convert_image(path)) == [(144, 72)]


def test_other_files_are_no_images_and_damaged_ones_have_a_clear_error(tmp_path):
    assert not is_image(b"%PDF-1.7")
    (tmp_path / "a.png").write_bytes(b"%PDF-1.7")
    assert convert_image(tmp_path / "a.png") is None
    buffer = io.BytesIO()
    Image.effect_noise((200, 200), 50).save(buffer, "PNG")
    (tmp_path / "b.png").write_bytes(buffer.getvalue()[:200])
    with pytest.raises(DocumentError, match="the image is damaged"):
        convert_image(tmp_path / "b.png")
