-- expand

-- The times at which a standing run of this kind starts its run: one of a cron line in a zone, an interval, one moment.
create table :schema.schedule (
  id            text collate "C" primary key references :schema.standing_run on delete cascade,
  cron          text,
  timezone      text,
  every_seconds int check (every_seconds > 0),
  at            timestamptz,
  -- What an interval is counted from.
  anchored_at   timestamptz not null,
  overlap       text not null check (overlap in ('skip', 'queue', 'abort')),
  catch_up      text not null check (catch_up in ('one', 'none')),
  -- The next planned time; absent while it is off or paused, and when there is none.
  next_at       timestamptz,
  -- The clock: when to look at it. While a process starts the run, it is the end of that process's lease.
  look_at       timestamptz,
  -- The planned time that is being started. Whoever takes over from a process that died starts the same one.
  firing_at     timestamptz,
  check (num_nonnulls(cron, every_seconds, at) = 1),
  check ((cron is null) = (timezone is null)),
  check ((next_at is null) = (look_at is null)),
  check (firing_at is null or next_at is not null)
);
create index schedule_look on :schema.schedule (look_at) where look_at is not null;
create index schedule_next on :schema.schedule (next_at) where next_at is not null;

-- What became of each planned time, for 30 days.
create table :schema.schedule_firing (
  schedule_id text collate "C" not null references :schema.standing_run on delete cascade,
  planned_at  timestamptz not null,
  at          timestamptz not null,
  outcome     text not null check (outcome in ('started', 'skipped', 'refused')),
  job_id      text,
  -- Why it was not started.
  code        text,
  primary key (schedule_id, planned_at)
);
