import sys

import numpy as np
import pytest

from hopline_ingest.memory import release, resident_mb


@pytest.mark.skipif(sys.platform != "linux", reason="other systems' allocators give back by themselves")
def test_what_was_freed_between_what_is_held_goes_back_to_the_system() -> None:
    blocks = [np.ones(8000) for _ in range(2000)]  # 64 kB each: below the size that is mapped by itself
    held = blocks[::10]
    full = resident_mb()
    del blocks
    release()
    assert resident_mb() < full - 70
    assert len(held) == 200
