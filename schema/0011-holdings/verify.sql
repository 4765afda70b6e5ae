select 'missing table ' || expected.name as problem
from unnest(array['entitlements', 'disputes']) as expected (name)
where to_regclass(format('%I.%I', current_schema(), expected.name)) is null
