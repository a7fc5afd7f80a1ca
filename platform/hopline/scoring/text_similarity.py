"""Text similarity: TF-IDF cosines fitted on the candidates, and Levenshtein ratios."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz.fuzz import partial_ratio
from rapidfuzz.utils import default_process


def tfidf_cosines(query: str, texts: Sequence[str]) -> list[float]:
    """TF-IDF cosine of the query and each text, in [0, 1], fitted on these texts alone; 0 if they have no words.

    KGP ranks candidates so: the inverse document frequency is that of the candidates.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    try:
        vectorizer = TfidfVectorizer()
        rows = vectorizer.fit_transform(texts)
    except ValueError:  # no text has a word
        return [0.0] * len(texts)
    cosines: list[float] = (rows @ vectorizer.transform([query]).T).toarray()[:, 0].tolist()
    return cosines


def fuzzy_ratios(query: str, texts: Sequence[str]) -> list[float]:
    """Levenshtein ratio of the query and the best window of each text, in [0, 1]: 1 − edits / length.

    The window is as long as the query, so that short texts have no advantage.
    """
    processed = default_process(query)
    return [partial_ratio(processed, default_process(text)) / 100.0 for text in texts]
