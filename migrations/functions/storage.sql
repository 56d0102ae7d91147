-- The bytes that an organization keeps: attachments of its chats, files of its projects, artifacts of its runs, and files
-- that are being imported.

create or replace function :schema.storage_take(p_organization text, p_bytes bigint, p_limit bigint) returns boolean
language plpgsql as $$
begin
  insert into :schema.org_storage (organization_id, bytes) values (p_organization, 0) on conflict (organization_id) do nothing;
  update :schema.org_storage s set bytes = s.bytes + p_bytes where s.organization_id = p_organization and s.bytes + p_bytes <= p_limit;
  return found;
end $$;

create or replace function :schema.storage_give(p_organization text, p_bytes bigint) returns void
language sql as $$
  update :schema.org_storage s set bytes = greatest(0, s.bytes - p_bytes) where s.organization_id = p_organization;
$$;

-- Returns the bytes of deleted attachments and project files, however they were deleted.
create or replace function :schema.storage_give_attachments() returns trigger language plpgsql as $$
begin
  update :schema.org_storage s set bytes = greatest(0, s.bytes - g.bytes)
    from (select a.organization_id, sum(a.size + a.text_bytes) as bytes from gone a group by a.organization_id) g where s.organization_id = g.organization_id;
  return null;
end $$;

create or replace function :schema.storage_give_project_files() returns trigger language plpgsql as $$
begin
  update :schema.org_storage s set bytes = greatest(0, s.bytes - g.bytes)
    from (select f.organization_id, sum(f.size) as bytes from gone f group by f.organization_id) g where s.organization_id = g.organization_id;
  return null;
end $$;

create or replace function :schema.storage_give_import_pieces() returns trigger language plpgsql as $$
begin
  update :schema.org_storage s set bytes = greatest(0, s.bytes - g.bytes)
    from (select p.organization_id, sum(p.size) as bytes from gone p group by p.organization_id) g where s.organization_id = g.organization_id;
  return null;
end $$;

create or replace function :schema.job_storage_take(p_job text, p_organization text, p_bytes bigint, p_limit bigint) returns boolean
language plpgsql as $$
begin
  if not :schema.storage_take(p_organization, p_bytes, p_limit) then
    return false;
  end if;
  insert into :schema.job_storage as j (job_id, organization_id, bytes) values (p_job, p_organization, p_bytes)
    on conflict (job_id) do update set bytes = j.bytes + excluded.bytes;
  return true;
end $$;

create or replace function :schema.job_storage_give(p_job text) returns void
language plpgsql as $$
declare
  taken record;
begin
  delete from :schema.job_storage where job_id = p_job returning * into taken;
  if found then
    perform :schema.storage_give(taken.organization_id, taken.bytes);
  end if;
end $$;

-- What it takes from now on in all; nothing at all if there is no room for that.
create or replace function :schema.job_storage_set(p_job text, p_organization text, p_bytes bigint, p_limit bigint) returns boolean
language plpgsql as $$
begin
  perform :schema.job_storage_give(p_job);
  return :schema.job_storage_take(p_job, p_organization, p_bytes, p_limit);
end $$;
