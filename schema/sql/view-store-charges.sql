insert into charges (
    bundle, transaction_id, original_transaction_id, product_id, quantity, price_milliunits,
    currency, environment, ownership, purchase_date, revocation_date, is_charge)
select * from unnest(
    $1::bytea[], $2::bytea[], $3::bytea[], $4::bytea[], $5::bigint[], $6::bigint[], $7::bytea[],
    $8::bytea[], $9::bytea[], $10::timestamptz[], $11::timestamptz[], $12::boolean[])
on conflict (bundle, transaction_id) do update set
    original_transaction_id = excluded.original_transaction_id, product_id = excluded.product_id,
    quantity = excluded.quantity, price_milliunits = excluded.price_milliunits,
    currency = excluded.currency, environment = excluded.environment,
    ownership = excluded.ownership, purchase_date = excluded.purchase_date,
    revocation_date = excluded.revocation_date, is_charge = excluded.is_charge
