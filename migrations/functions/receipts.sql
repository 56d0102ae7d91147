-- The chain of receipts; docs/verify-receipts.md says how a stream is verified by hand.

-- What stands before the first receipt of a stream.
create or replace function :schema.receipt_genesis(stream text) returns bytea
  language sql immutable strict parallel safe
  return sha256(convert_to('receipt-stream/v1', 'UTF8') || '\x00'::bytea || convert_to(stream, 'UTF8'));

create or replace function :schema.receipt_refuse() returns trigger language plpgsql as $$
begin
  raise exception 'receipts are append-only and hash-chained: % refused', tg_op using errcode = 'integrity_constraint_violation';
end $$;
