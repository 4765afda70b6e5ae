select facts.kind, facts.bundle, facts.id, facts.facts
from unnest($1::text[], $2::bytea[], $3::bytea[]) as wanted (kind, bundle, id)
join facts using (kind, bundle, id)
