-- expand
-- Whether a stream's process writes to the process table, under the name that it has at the broker: one that does is
-- alive as long as it is heard of there, whatever its connection seems to be.
alter table :schema.broker_stream add column in_process_table boolean not null default false;

-- The order in which streams were opened, whatever the clock does.
alter table :schema.broker_stream add column opened bigint generated always as identity;
