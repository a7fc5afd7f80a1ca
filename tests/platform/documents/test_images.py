import io

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


def test_other_files_are_no_images_and_damaged_ones_have_a_clear_error(tmp_path):
    assert not is_image(b"%PDF-1.7")
    (tmp_path / "a.png").write_bytes(b"%PDF-1.7")
    assert convert_image(tmp_path / "a.png") is None
    buffer = io.BytesIO()
    Image.effect_noise((200, 200), 50).save(buffer, "PNG")
    (tmp_path / "b.png").write_bytes(buffer.getvalue()[:200])
    with pytest.raises(DocumentError, match="the image is damaged"):
        convert_image(tmp_path / "b.png")
