// Returns: nothing — evidence for which a stage failed, with the reason; it does not wait for that stage any more and can be tried again.
// $id: id of the evidence.
// $stage: Unread, Unembedded or Unrelated.
// $reason: in words for the user.
MATCH (e:Evidence {id: $id})
SET e.failure = $reason, e:Warned
FOREACH (_ IN CASE WHEN $stage = 'Unread' THEN [1] ELSE [] END | SET e.extractor = coalesce(e.extractor, 'none') REMOVE e:Unread)
FOREACH (_ IN CASE WHEN $stage = 'Unembedded' THEN [1] ELSE [] END | REMOVE e:Unembedded)
FOREACH (_ IN CASE WHEN $stage = 'Unrelated' THEN [1] ELSE [] END | REMOVE e:Unrelated)
