-- Whether a Models account takes `reasoning_effort`. Not every OpenAI-compatible server does.
alter table :schema.models_account add column takes_effort boolean not null default false;
