-- expand

-- What may be used once: the state of a sign-in at the OpenID provider, the id of a logout token. Rows hold digests and go
-- when the thing itself has expired.
create table :schema.openid_used (
  digest     text primary key check (digest like 'sha256:%'),
  expires_at timestamptz not null
);
create index openid_used_expires on :schema.openid_used (expires_at);

-- A provider may end a session by its own name for it alone.
create index identity_session_provider_session on :schema.identity_session (issuer, provider_session) where provider_session is not null;

-- Who manages a membership, if it is not people: what the groups of the OpenID provider gave, they take away again.
alter table :schema.organization_member add column given_by text;
alter table :schema.workspace_member add column given_by text;
