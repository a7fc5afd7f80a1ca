// Returns: nothing — index of triples by the evidence that states them.
CREATE INDEX triple_evidence IF NOT EXISTS FOR (n:Triple) ON (n.evidence)
