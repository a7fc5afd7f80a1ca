// Returns: nothing — full-text index of Evidence (English analyzer with stemming and stop words, BM25).
CREATE FULLTEXT INDEX evidence_text IF NOT EXISTS FOR (n:Evidence) ON EACH [n.search, n.collection, n.document]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}
