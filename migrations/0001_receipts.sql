-- Receipts: an append-only, hash-chained log per stream. The primary key is the compare-and-set: two appenders
-- that saw the same head want the same idx, and one of them loses.

create function :schema.receipt_genesis(stream text) returns bytea
  language sql immutable strict parallel safe
  return sha256(convert_to('receipt-stream/v1', 'UTF8') || '\x00'::bytea || convert_to(stream, 'UTF8'));

create table :schema.receipt (
  stream text   collate "C" not null,
  idx    bigint not null,
  prev   bytea  not null,
  hash   bytea  not null,
  body   text   not null,
  primary key (stream, idx)
);

create function :schema.receipt_refuse() returns trigger language plpgsql as $$
begin
  raise exception 'receipts are append-only and hash-chained: % refused', tg_op using errcode = 'integrity_constraint_violation';
end $$;

create trigger receipt_hash before insert on :schema.receipt for each row
  when (new.hash is distinct from sha256(new.prev || convert_to(new.body, 'UTF8')))
  execute function :schema.receipt_refuse();

create trigger receipt_append_only before update or delete on :schema.receipt for each row
  execute function :schema.receipt_refuse();

create trigger receipt_no_truncate before truncate on :schema.receipt for each statement
  execute function :schema.receipt_refuse();

-- Checkpoints: one RFC 6962 root over the heads of all streams. The heads behind the last root are kept, so that
-- a stream that was cut or dropped since then shows.
create table :schema.receipt_checkpoint (
  id      bigint generated always as identity primary key,
  at      timestamptz not null,
  streams bigint not null,
  root    bytea  not null
);

create table :schema.receipt_checkpoint_head (
  stream text   collate "C" primary key,
  idx    bigint not null,
  hash   bytea  not null
);
