"""Networks are trained here."""

import pytest
import torch


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    """Tests run side by side: threads of one would only wait for those of another."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
