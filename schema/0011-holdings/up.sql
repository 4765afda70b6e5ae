-- What a customer may use: by the original transaction of what renews or is restored, else by the
-- transaction.
create table entitlements (
    bundle bytea not null,
    entitlement_id bytea not null,
    transaction_id bytea not null,
    product_id bytea,
    kind text not null,
    basis text not null,
    state text not null,
    quantity bigint not null,
    since timestamptz,
    until timestamptz,
    will_renew boolean,
    next_product_id bytea,
    review_at timestamptz,
    primary key (bundle, entitlement_id)
);
create index entitlements_review_at on entitlements (review_at) where review_at is not null;

-- Apple's side of the dispute about a charge.
create table disputes (
    bundle bytea not null,
    transaction_id bytea not null,
    state text not null,
    reason bytea,
    is_overdue boolean not null,
    requested_at timestamptz,
    due_at timestamptz,
    answered_at timestamptz,
    granted_at timestamptz,
    declined_at timestamptz,
    reversed_at timestamptz,
    review_at timestamptz,
    primary key (bundle, transaction_id)
);
create index disputes_review_at on disputes (review_at) where review_at is not null;
create index disputes_due_at on disputes (due_at) where due_at is not null;

do $$
declare
    writer text := current_schema() || '_writer';
    readers text[] := array[current_schema() || '_reader', current_schema() || '_auditor'];
    view_table text;
begin
    foreach view_table in array array['entitlements', 'disputes'] loop
        execute format('grant select, insert, update, delete on %I to %I', view_table, writer);
        execute format('grant select on %I to %I, %I', view_table, readers[1], readers[2]);
    end loop;
end
$$;

-- The encoding of facts changed: the views are made anew.
truncate facts, timeline, sighting, orders, charges, claims, projection_failure,
    projection_checkpoint;
