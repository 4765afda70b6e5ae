-- The views: what the projector makes of the log. All of it can be made again from the log.

-- How far the views are. Rows and position are committed together; the lock on the row fences a
-- projector that lost its place.
create table projection_checkpoint (
    name text primary key,
    position bigint not null check (position >= 0),
    log_epoch bigint not null,
    updated_at timestamptz not null default clock_timestamp()
);

-- The facts of one thing (an order, a transaction, a delivery, ...), in their own encoding.
create table facts (
    kind text not null,
    bundle bytea not null,
    id bytea not null,
    facts bytea not null,
    primary key (kind, bundle, id)
);

-- Every key of every event: look-ups, timelines, answers as of an instant.
create table timeline (
    kind text not null,
    bundle bytea not null,
    key bytea not null,
    position bigint not null,
    primary key (key, kind, bundle, position)
);
create index timeline_position on timeline (position);

-- Charges and attempts by product and instant: what could be the charge of an order that lost it,
-- and whose charge it could be.
create table sighting (
    kind text not null,
    bundle bytea not null,
    product_id bytea not null,
    seen_at timestamptz not null,
    id bytea not null,
    position bigint not null,
    primary key (kind, bundle, product_id, seen_at, id)
);

-- An order as people read it: derived from facts, policy and an instant; a cache.
create table orders (
    bundle bytea not null,
    order_number bytea not null,
    status text not null,
    verdict text not null,
    action text not null,
    charge_count int not null,
    remarks text[] not null,
    review_at timestamptz,
    primary key (bundle, order_number)
);
create index orders_review_at on orders (review_at) where review_at is not null;

-- A transaction as people read it.
create table charges (
    bundle bytea not null,
    transaction_id bytea not null,
    original_transaction_id bytea,
    product_id bytea,
    quantity bigint,
    price_milliunits bigint,
    currency bytea,
    environment bytea,
    ownership bytea,
    purchase_date timestamptz,
    revocation_date timestamptz,
    is_charge boolean not null,
    primary key (bundle, transaction_id)
);
create index charges_purchase_date on charges (bundle, purchase_date);

-- A claim of a customer and the verdict of the hour.
create table claims (
    bundle bytea not null,
    claim_id bytea not null,
    opened_position bigint not null,
    opened_at timestamptz not null,
    primary key (bundle, claim_id)
);
create index claims_opened on claims (opened_position);
create index claims_id on claims (claim_id);

-- Events that a view could not take: set aside, tried again later, never in the way.
create table projection_failure (
    position bigint primary key,
    error text not null,
    attempts int not null,
    next_try_at timestamptz not null
);

do $$
declare
    writer text := current_schema() || '_writer';
    readers text[] := array[current_schema() || '_reader', current_schema() || '_auditor'];
    view_table text;
begin
    foreach view_table in array array[
        'projection_checkpoint', 'facts', 'timeline', 'sighting', 'orders', 'charges',
        'claims', 'projection_failure']
    loop
        execute format('grant select, insert, update, delete on %I to %I', view_table, writer);
        execute format('grant select on %I to %I, %I', view_table, readers[1], readers[2]);
    end loop;
end
$$;
