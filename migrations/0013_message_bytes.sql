-- expand
-- How large messages are, so that a page is cut by size without reading what is not sent: PostgreSQL knows the size of
-- compressed JSON only after decompressing it. Null in rows of builds that do not know this and in older rows, which the
-- web server measures in small batches.
alter table :schema.chat_message add column bytes int;
-- Of its text alone: what a model is sent.
alter table :schema.chat_message add column text_bytes int;
alter table :schema.chat_share_message add column bytes int;

-- Its body is in functions/threads.sql and is put in place in the same transaction.
create or replace function :schema.chat_message_measure() returns trigger language plpgsql as $$
begin
  raise exception 'the function chat_message_measure is not in place yet';
end $$;
create trigger chat_message_measure before insert or update of parts on :schema.chat_message
  for each row execute function :schema.chat_message_measure();
