"""Pages of documents: boxes with colours in the address of a picture."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from hopline.api.app import create_app
from hopline.config import load_settings
from hopline.records import Box
from hopline.testing import FakeHopline, make_document

DOCUMENT = make_document("loans", "a.pdf")


@pytest.fixture
def hop(tmp_path):
    return FakeHopline(settings=load_settings(home=tmp_path), documents={"loans": [DOCUMENT]})


@pytest.fixture
def client(hop):
    return TestClient(create_app(hop), base_url="http://127.0.0.1", raise_server_exceptions=False)


def test_each_box_of_a_picture_may_have_a_colour(hop, client):
    query = {"boxes": ["72,100,300,112", "72,130,300,142,0c8599"]}
    response = client.get(f"/v1/documents/{DOCUMENT.id}/pages/1.png", params=query)
    assert (response.status_code, response.headers["content-type"]) == (200, "image/png")
    [call] = hop.state.calls_of("documents.render_page")
    assert call["boxes"] == [Box(1, 72, 100, 300, 112), Box(1, 72, 130, 300, 142)]
    assert call["colours"] == ["", "#0c8599"]


@pytest.mark.parametrize("box", ["1,2,3", "1,2,3,4,5,6", "1,2,3,x", ""])
def test_a_wrong_box_is_refused(client, box):
    response = client.get(f"/v1/documents/{DOCUMENT.id}/pages/1.png", params={"boxes": [box]})
    assert response.status_code in {400, 422}
    assert "x0,y0,x1,y1" in response.json()["detail"]
