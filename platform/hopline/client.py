"""The front door for Python.

with Hopline.open() as hop:
    hop.add(["reports/"]).wait(progress=True)
    answer = hop.ask("Which lender finances an asset of Nordvik?")
    answer.sentences[0].citations[0].page
"""

from __future__ import annotations

from hopline.connections import Listener
from hopline.documents.library import Estimate, Reading, Status
from hopline.documents.progress import Batch, Failure, Progress
from hopline.documents.service import Documents
from hopline.entities.resolution import Decision, Suggestion
from hopline.entities.resolution_service import Merging
from hopline.graph_explorer import Detail, Found, Neighbourhood
from hopline.graph_service import Exploring
from hopline.question_service import Questions
from hopline.topics.collection_topics import CollectionThemes, Theme
from hopline.training.service import Learning
from hopline.training.topic_service import Theming

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
