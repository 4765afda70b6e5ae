select door, reason, sum(refused)::bigint as refused, sum(logged)::bigint as logged,
    sum(kept)::bigint as kept
from refusal_count
group by door, reason
order by door, reason
