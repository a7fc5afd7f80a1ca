"""The front door for Python.

with Hopline.open() as hop:
    hop.add(["reports/"]).wait(progress=True)
    answer = hop.ask("Which lender finances an asset of Nordvik?")
    answer.sentences[0].citations[0].page
"""

from __future__ import annotations

from hopline.batch import Batch, Failure, Progress
from hopline.exploring import Detail, Found, Neighbourhood
from hopline.inventory import Estimate, Reading, Status
from hopline.merging import Decision, Suggestion
from hopline.sdk.documents import Documents
from hopline.sdk.exploring import Exploring
from hopline.sdk.learning import Learning
from hopline.sdk.merging import Merging
from hopline.sdk.opened import Listener
from hopline.sdk.questions import Questions
from hopline.sdk.theming import Theming
from hopline.theming import CollectionThemes, Theme

__all__ = [
    "Batch",
    "CollectionThemes",
    "Decision",
    "Detail",
    "Estimate",
    "Failure",
    "Found",
    "Hopline",
    "Listener",
    "Neighbourhood",
    "Progress",
    "Reading",
    "Status",
    "Suggestion",
    "Theme",
]


class Hopline(Documents, Questions, Learning, Exploring, Merging, Theming):
    """One open graph. Use as a context manager, or call `close`. Safe to share between threads."""
