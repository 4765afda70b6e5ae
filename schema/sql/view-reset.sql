with
    no_facts as (delete from facts),
    no_timeline as (delete from timeline),
    no_sightings as (delete from sighting),
    no_orders as (delete from orders),
    no_charges as (delete from charges),
    no_entitlements as (delete from entitlements),
    no_disputes as (delete from disputes),
    no_claims as (delete from claims),
    no_failures as (delete from projection_failure)
delete from projection_checkpoint where name = $1
