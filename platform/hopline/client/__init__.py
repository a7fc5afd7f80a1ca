"""The front door for Python.

with Hopline.open() as hop:
    hop.add(["reports/"]).wait(progress=True)
    answer = hop.ask("Which lender finances an asset of Nordvik?")
    answer.sentences[0].citations[0].page
"""

from __future__ import annotations

from hopline.client.connections import Listener
from hopline.client.documents import Documents
from hopline.client.entities import Merging
from hopline.client.graph import Exploring
from hopline.client.questions import Questions
from hopline.client.topics import Theming
from hopline.client.training import Learning
from hopline.documents.library import Estimate, Reading, Status
from hopline.documents.progress import Batch, Failure, Progress
from hopline.entities.resolution import Decision, Suggestion
from hopline.graph_explorer import Detail, Found, Neighbourhood
from hopline.topics.collection_topics import CollectionThemes, Theme

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
