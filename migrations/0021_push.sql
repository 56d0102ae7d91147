-- expand

-- Whether the service may push what runs did through a connection to a code host, and where.
alter table :schema.connection_policy add column push text not null default 'off' check (push in ('off', 'branches'));
