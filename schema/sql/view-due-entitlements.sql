select bundle, entitlement_id from entitlements where review_at <= $1
order by review_at, bundle, entitlement_id limit $2 for update skip locked
