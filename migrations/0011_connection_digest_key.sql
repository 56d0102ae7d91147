-- expand

-- The key of the digests by which connections are found, once the encryption key has been replaced. Of a removed
-- connection only the digest is left, which nothing can compute again, so the key of digests stays what it was: derived
-- from the first encryption key, and from then on encrypted with the current one. There is at most one row.
create table :schema.connection_digest_key (
  single      boolean primary key default true check (single),
  ciphertext  bytea not null,
  iv          bytea not null check (length(iv) = 12),
  auth_tag    bytea not null check (length(auth_tag) = 16),
  key_version int   not null
);
