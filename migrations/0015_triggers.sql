-- expand

-- What a trigger adds to its row in standing_run: who sends to it, and what of that counts.
create table :schema.run_trigger (
  id     text collate "C" primary key references :schema.standing_run on delete cascade,
  source text not null check (source in ('generic', 'github', 'gitlab', 'linear', 'slack', 'stripe', 'standard-webhooks')),
  filter jsonb not null default '[]'
);

-- What deliveries are signed with. One counts without end; those before it until their end.
create table :schema.trigger_secret (
  id         text collate "C" primary key,
  trigger_id text not null references :schema.standing_run on delete cascade,
  ciphertext bytea not null,
  iv         bytea not null,
  auth_tag   bytea not null,
  created_at timestamptz not null,
  ends_at    timestamptz
);
create unique index trigger_secret_current on :schema.trigger_secret (trigger_id) where ends_at is null;
create index trigger_secret_trigger on :schema.trigger_secret (trigger_id);

-- What was delivered, with its payload for as long as that is kept. `received` is work that is still to be done.
create table :schema.trigger_delivery (
  id           text collate "C" primary key,
  trigger_id   text not null references :schema.standing_run on delete cascade,
  -- The sender's own id or a digest of the body, as long as it keeps the same delivery from starting a run again.
  delivery_key text collate "C",
  -- What the sender's headers say: its own id for it, and what happened.
  sender_id    text,
  event        text,
  outcome      text not null check (outcome in ('received', 'started', 'refused', 'filter', 'paused')),
  code         text,
  job          text,
  replay_of    text,
  received_at  timestamptz not null,
  -- When somebody else may finish it.
  look_at      timestamptz,
  bytes        int not null,
  ciphertext   bytea,
  iv           bytea,
  auth_tag     bytea,
  check ((outcome = 'received') = (look_at is not null))
);
create unique index trigger_delivery_key on :schema.trigger_delivery (trigger_id, delivery_key);
create index trigger_delivery_list on :schema.trigger_delivery (trigger_id, id desc);
create index trigger_delivery_payload on :schema.trigger_delivery (trigger_id, id desc) where ciphertext is not null;
create index trigger_delivery_due on :schema.trigger_delivery (look_at) where outcome = 'received';
create index trigger_delivery_old on :schema.trigger_delivery (received_at);
