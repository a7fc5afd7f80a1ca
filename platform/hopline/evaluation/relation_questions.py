"""Questions from the relation-style steps of MuSiQue, "subject >> relation".

MuSiQue (Trivedi et al. 2022) takes part of its steps from relations of Wikidata: "Crux >> publisher". A few rules on
the form of the relation make them questions. A relation that fits no rule is left as it is, without the arrow. Of the
111 such steps of its first 200 train questions, 94 become questions; the others are "languages spoken, written or
signed" (16) and "lyrics by" (1).
"""

from __future__ import annotations

import re
from typing import Final

ARROW: Final = ">>"
PERSONS: Final = (
    *("architect", "author", "child", "composer", "creator", "designer", "director", "father", "founder", "inventor"),
    *("mother", "owner", "performer", "producer", "screenwriter", "sibling", "spouse"),
)
MEMBERSHIPS: Final = {"member": "a member", "part": "part", "instance": "an instance", "subclass": "a subclass"}

# "member of political party", "part of the series"
_MEMBER_OF: Final = re.compile(rf"({'|'.join(MEMBERSHIPS)}) of(?: (?:the )?(.+))?")
_PARTICIPLE: Final = r"\w+ed|born|built|drawn|held|made|present|sung|written"
_IN: Final = re.compile(rf"({_PARTICIPLE}) in (?:the )?(.+)")  # "located in the administrative territorial entity"
_BY: Final = re.compile(rf"({_PARTICIPLE}) by")  # "owned by"
_NOUNS: Final = re.compile(r"\w+(?: (?:of|\w+))*")  # "place of birth"
_NO_NOUN: Final = re.compile(r"\b(?:by|in|at|from|to|or|and)\b")


def write_step_question(step: str) -> str:
    """Write the question of a step; a step without an arrow, or whose relation fits no rule, keeps its words."""
    subject, arrow, relation = (part.strip() for part in step.partition(ARROW))
    if not arrow:
        return step
    if ARROW in relation or not subject:
        return step.replace(f" {ARROW} ", " ")
    return _write_question(subject, relation) or f"{subject} {relation}"


def _write_question(subject: str, relation: str) -> str:
    """Write the question for the object of a relation; empty if no rule fits."""
    if match := _MEMBER_OF.fullmatch(relation):
        role, whole = MEMBERSHIPS[match[1]], match[2]
        return f"Which {whole} is {subject} {role} of?" if whole else f"What is {subject} {role} of?"
    if match := _IN.fullmatch(relation):
        return f"In which {match[2]} is {subject} {match[1]}?"
    if match := _BY.fullmatch(relation):
        return f"What is {subject} {match[1]} by?"
    if _NOUNS.fullmatch(relation) and not _NO_NOUN.search(relation):
        word = "Who" if relation in PERSONS else "What"
        return f"{word} is the {relation} of {subject}?"
    return ""
