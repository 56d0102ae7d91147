-- Processes: every running process of every role writes a line about itself every few seconds. The roles without
-- a port show their health here. A line is worth nothing after a crash of the server, hence unlogged; there are a
-- few dozen of them and every beat rewrites one, hence no second index and room in the page for the new version.

create unlogged table :schema.process (
  id         text collate "C" primary key,
  role       text        not null,
  host       text        not null,
  pid        int         not null,
  version    text        not null,
  task_group text,
  state      text        not null,
  started_at timestamptz not null,
  seen_at    timestamptz not null,
  figures    jsonb       not null,
  constraint process_state check (state in ('running', 'stopping'))
) with (fillfactor = 50);
