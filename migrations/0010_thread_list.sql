-- expand
-- Threads in the order in which they are listed: with the index before, all threads of a person were read and sorted for
-- the first page.
create index chat_thread_order on :schema.chat_thread (user_id, organization_id, (pinned_at is not null) desc, updated_at desc, id desc);
drop index :schema.chat_thread_list;
