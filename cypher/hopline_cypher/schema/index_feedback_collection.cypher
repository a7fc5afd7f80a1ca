// Returns: nothing — index of feedback by collection.
CREATE INDEX feedback_collection IF NOT EXISTS FOR (n:Feedback) ON (n.collection)
