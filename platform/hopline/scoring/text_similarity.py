"""How alike texts are by their words and letters: TF-IDF fitted on the candidates, and Levenshtein distance."""

from __future__ import annotations

from collections.abc import Sequence


def tfidf_cosines(query: str, texts: Sequence[str]) -> list[float]:
    """Cosine of the query to each text in [0, 1], by TF-IDF fitted on these texts alone; 0 where there are no words.

    As KGP ranks candidates (CODE-NOTES 3): the inverse document frequency is that of the candidates.
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
    """How well the query fits the best window of each text, in [0, 1]: 1 − their edits over their length (Levenshtein).

    The window is as long as the query, so that short texts have no advantage (CODE-NOTES 3: compare like with like).
    """
    from rapidfuzz.fuzz import partial_ratio
    from rapidfuzz.utils import default_process

    asked = default_process(query)
    return [partial_ratio(asked, default_process(text)) / 100.0 for text in texts]
