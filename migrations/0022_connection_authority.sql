-- Who authorized a connection last, and when the provider made the one that is referred to: a webhook has no time and no
-- id of its own, so whether it may replace what is stored is decided by these. Rows of connection_removed are kept for
-- good from now on: an old webhook may be delivered again at any time.
alter table :schema.org_connection_secret add column authorized_by text, add column provider_created_at timestamptz;
update :schema.org_connection_secret set authorized_by = created_by;
comment on table :schema.connection_removed is 'Connections of the provider that were removed or replaced here: neither a webhook nor read repair brings them back.';
