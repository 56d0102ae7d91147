-- expand
-- The numbers and names of the sources of a shared answer, [{"number": 1, "name": "handbook.md"}], without their text
-- and without the file.
alter table :schema.chat_share_message add column sources jsonb;
