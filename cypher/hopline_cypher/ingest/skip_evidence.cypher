// Returns: nothing — marks evidence for which a stage failed with the reason; it no longer waits for this stage and can be retried.
// $id: id of the evidence.
// $stage: Unread, Unembedded or Unrelated.
// $reason: error message for the user.
MATCH (e:Evidence {id: $id})
SET e.failure = $reason, e:Warned
FOREACH (_ IN CASE WHEN $stage = 'Unread' THEN [1] ELSE [] END | SET e.extractor = coalesce(e.extractor, 'none') REMOVE e:Unread)
FOREACH (_ IN CASE WHEN $stage = 'Unembedded' THEN [1] ELSE [] END | REMOVE e:Unembedded)
FOREACH (_ IN CASE WHEN $stage = 'Unrelated' THEN [1] ELSE [] END | REMOVE e:Unrelated)
