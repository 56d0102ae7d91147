-- expand

-- The idempotency key under which a person said something to a run: the same request again says nothing twice.
alter table :schema.run_message add column key text;
