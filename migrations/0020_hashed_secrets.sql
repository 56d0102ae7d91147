-- What a person or a program proves itself with is kept as a digest: a copy of the database opens nothing. Sessions
-- go on, because a session token is random enough for a plain SHA-256, which is taken here of those there are.
update :schema.identity_session set token = 'sha256:' || encode(sha256(convert_to(token, 'UTF8')), 'hex');
alter table :schema.identity_session add constraint identity_session_token_is_digest check (token like 'sha256:%');

-- A user code is short enough to be guessed from a plain digest, so its digest is keyed (src/identity/secret-digests.ts).
-- Codes live for minutes: those under way are begun again.
delete from :schema.identity_device_code;
alter table :schema.identity_device_code
  add constraint identity_device_code_is_digest check (device_code like 'sha256:%' and user_code like 'hmac-sha256:%');

-- The identity library finds a verification by its identifier, which holds the secret; it keeps a digest of it from now on.
delete from :schema.identity_verification;

-- The handle of a visit to the authorize endpoint is kept as its digest too. `error` is what was wrong with the visit:
-- the person is told, and sends the browser back to the client or does not.
update :schema.oauth_request set id = 'sha256:' || encode(sha256(convert_to(id, 'UTF8')), 'hex');
alter table :schema.oauth_request
  add constraint oauth_request_id_is_digest check (id like 'sha256:%'),
  add column error text,
  add column error_description text,
  add constraint oauth_request_error_is_described check ((error is null) = (error_description is null));

-- Its access tokens have a table of their own.
alter table :schema.oauth_grant drop column token_id;

-- The unnamed tokens, of minutes, that a session made: noted until they expire, so that they can be ended before.
create table :schema.connect_token_short (
  id         text primary key,
  user_id    text not null references :schema.identity_user (id) on delete cascade,
  session_id text not null,
  expires_at timestamptz not null
);
create index connect_token_short_user on :schema.connect_token_short (user_id);
create index connect_token_short_expiry on :schema.connect_token_short (expires_at);
