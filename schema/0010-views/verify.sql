select 'missing table ' || expected.name as problem
from unnest(array[
    'projection_checkpoint', 'facts', 'timeline', 'sighting', 'orders', 'charges', 'claims',
    'projection_failure']) as expected (name)
where to_regclass(format('%I.%I', current_schema(), expected.name)) is null
