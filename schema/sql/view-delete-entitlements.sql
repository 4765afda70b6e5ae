-- Nothing proves them any more.
delete from entitlements using unnest($1::bytea[], $2::bytea[]) as gone (bundle, id)
where entitlements.bundle = gone.bundle and entitlements.entitlement_id = gone.id
