-- expand

-- A shared chat names the model that answered, where it is not the one that was asked for.
alter table :schema.chat_share_message add column served text;
