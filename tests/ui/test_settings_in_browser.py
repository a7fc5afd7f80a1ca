"""The Settings page in the system's Chromium: a model is typed, listed, tested, stored and removed."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from browsing import open_tab, save_screenshot, visit, wait_for_text, wait_until_idle

sys.path.insert(0, str(Path(__file__).parents[1] / "platform" / "llm"))

from scripted import Turn, serve

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

NARROW = {"width": 390, "height": 844}
KEY = "hush-hush-key"


def test_a_model_is_set_with_the_keyboard_tested_stored_and_removed(chromium, nordvik_page):
    reply = Turn(json.dumps({"capital": "Paris"}))
    with serve([reply], ["qwen", "llama"]) as server, open_tab(chromium, viewport=NARROW) as page:
        visit(page, f"{nordvik_page}/settings")
        page.get_by_role("textbox", name="Endpoint").fill(server.url)
        page.get_by_role("textbox", name="Endpoint").press("Tab")
        wait_for_text(page, ".st-key-model-form", "are sent to 127.0.0.1")
        page.get_by_role("textbox", name="API key").fill(KEY)
        page.get_by_role("button", name="List models").click()  # the key is entered by leaving its input
        wait_for_text(page, ".st-key-model-form", "has 2 models")
        page.get_by_role("combobox", name="Model").fill("qwen")
        page.keyboard.press("Enter")
        wait_until_idle(page)
        page.get_by_role("button", name="Test").press("Enter")
        wait_for_text(page, "[data-testid=stAlert] >> nth=-1", "qwen at 127.0.0.1")
        save_screenshot(page, "settings-tested")
        page.get_by_role("button", name="Save").press("Enter")
        wait_for_text(page, "body", "qwen writes the answers")
        wait_until_idle(page)
        wait_for_text(page, ".st-key-model-form", "stored, and never shown")
        save_screenshot(page, "settings-stored")
        assert KEY not in page.content()
        assert set(server.keys) == {KEY}
        page.get_by_role("button", name="Remove", exact=True).press("Enter")
        page.get_by_role("button", name="Remove settings").press("Enter")
        wait_for_text(page, "body", "No language model is set")
