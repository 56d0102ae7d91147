// Everything of a person, one entry of the archive after another. What does not fit into a table of rows is here: chats
// with their messages, files, runs with what they left. Between two pages nothing is held, neither a connection of the
// database nor a file.
import { AppError } from '../../base/errors.ts';
import type { Queryable } from '../../store/database.ts';
import { EXPORTS, type ExportedTable } from './export-table.ts';
import { asArray, readRows } from './read-rows.ts';
import type { ArchiveEntry } from './write-zip.ts';

export interface RunOfPerson {
  readonly id: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly workspaceId: string;
}

export interface ExportDeps {
  readonly db: Queryable;
  readonly clock: () => Date;
  /** The files that a run left. An AppError says why they cannot be had, if its workspace is closed to the person. */
  readonly artifacts: (run: RunOfPerson) => AsyncIterable<ArchiveEntry>;
  /** Stored responses, opened. */
  readonly responses: (userId: string) => AsyncIterable<{ readonly id: string; readonly json: readonly Uint8Array[] }>;
}

export async function* exportPerson(deps: ExportDeps, userId: string): AsyncGenerator<ArchiveEntry> {
  const { db } = deps;
  yield entry('README.txt', readme(deps.clock()));
  for (const [table, row] of Object.entries(EXPORTS))
    if ('file' in row) yield { name: `${row.file}.json`, content: asArray(readRows(db, table, row, [userId])) };
  yield { name: 'runs.json', content: asArray(readRows(db, 'job', RUNS, [userId])) };
  yield* chats(db, userId);
  yield* files(db, userId, ATTACHMENTS);
  yield* files(db, userId, PROJECT_FILES);
  for await (const { id, json } of deps.responses(userId)) yield entry(`stored-responses/${plain(id)}.json`, ...json);
  yield* artifacts(deps, userId);
}

const RUNS: ExportedTable = {
  file: 'runs',
  columns:
    't.id, t.organization_id, t.workspace_id, t.kind, t.objective, t.model, t.capabilities, t.status, t.attempt, t.created_at, t.started_at, t.ended_at, t.result, t.error, t.scopes, t.started_with, t.project_id, t.continues, t.environment, t.deliver',
  where: 't.created_by = $1',
  key: ['t.id'],
  page: 50,
};

const THREADS: ExportedTable = {
  file: 'chats',
  columns:
    't.id, t.organization_id, t.workspace_id, t.title, t.created_at, t.updated_at, t.pinned_at, t.archived_at, t.project_id',
  where:
    't.organization_id in (select m.organization_id from :schema.organization_member m where m.user_id = $1) and t.user_id = $1',
  key: ['t.id'],
};

const MESSAGE_COLUMNS = 't.id, t.role, t.parts, t.metadata, t.created_at';
const MESSAGES = {
  columns: MESSAGE_COLUMNS,
  where: 't.thread_id = $1',
  key: ["lpad(t.position::text, 10, '0')"],
  page: 20,
};
const VERSIONS = { columns: `${MESSAGE_COLUMNS}, t.parent_id`, where: 't.thread_id = $1', key: ['t.id'], page: 20 };

async function* chats(db: Queryable, userId: string): AsyncGenerator<ArchiveEntry> {
  for await (const page of readRows(db, 'chat_thread', THREADS, [userId]))
    for (const { row, key } of page) {
      const id = key[0] ?? '';
      yield { name: `chats/${plain(id)}.json`, content: chat(db, id, row) };
    }
}

async function* chat(db: Queryable, id: string, row: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`{"chat":${row},\n"messages":`);
  yield* asArray(readRows(db, 'chat_message', MESSAGES, [id]));
  yield Buffer.from(',\n"earlierVersions":');
  yield* asArray(readRows(db, 'chat_message_version', VERSIONS, [id]));
  yield Buffer.from('}\n');
}

interface FileTable {
  readonly folder: string;
  readonly table: string;
  readonly rows: ExportedTable;
  readonly content: string;
}

const ATTACHMENTS: FileTable = {
  folder: 'attachments',
  table: 'chat_attachment',
  rows: { file: 'attachments', columns: 't.name', where: THREADS.where, key: ['t.id', 't.name'] },
  content: 'select content from :schema.chat_attachment where id = $1',
};

const PROJECT_FILES: FileTable = {
  folder: 'project-files',
  table: 'project_file',
  rows: {
    file: 'project-files',
    columns: 't.name',
    where: `t.user_id = $1 and t.project_id in (select p.id from :schema.project p
      where p.organization_id in (select m.organization_id from :schema.organization_member m where m.user_id = $1))`,
    key: ['t.id', 't.name'],
  },
  content: 'select content from :schema.project_file_content where file_id = $1',
};

/** One file at a time: each fits into memory, all of them do not. */
async function* files(
  db: Queryable,
  userId: string,
  { folder, table, rows, content }: FileTable,
): AsyncGenerator<ArchiveEntry> {
  for await (const page of readRows(db, table, rows, [userId]))
    for (const { key } of page) {
      const [id = '', name = ''] = key;
      const found = await db.query<{ content: Buffer }>(content, [id]);
      if (found.rows[0]) yield entry(`${folder}/${plain(id)}/${plain(name)}`, found.rows[0].content);
    }
}

async function* artifacts({ db, artifacts: open }: ExportDeps, userId: string): AsyncGenerator<ArchiveEntry> {
  const rows = { ...RUNS, key: ['t.id', 't.organization_id', 't.workspace_id'], page: 200 };
  for await (const page of readRows(db, 'job', { ...rows, columns: 't.id' }, [userId]))
    for (const { key } of page) {
      const [id = '', organizationId = '', workspaceId = ''] = key;
      try {
        for await (const { name, content } of open({ id, userId, organizationId, workspaceId }))
          yield { name: `run-files/${plain(id)}/${name.split('/').map(plain).join('/')}`, content };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        yield entry(`run-files/${plain(id)}/NOT-INCLUDED.txt`, `${error.code}\n`);
      }
    }
}

function entry(name: string, ...content: readonly (string | Uint8Array)[]): ArchiveEntry {
  return {
    name,
    content: (async function* () {
      for (const piece of content) yield typeof piece === 'string' ? Buffer.from(piece) : piece;
    })(),
  };
}

/** One segment of a path, whatever a name says: it opens no folder above the archive and no device. */
export function plain(name: string): string {
  const kept = name
    .replaceAll(/[^\p{L}\p{N} ._()+@-]+/gu, '_')
    .replace(/^\.+/, '_')
    .slice(0, 150)
    .toWellFormed();
  return kept === '' ? '_' : kept;
}

function readme(at: Date): string {
  const rows = Object.entries(EXPORTS);
  const lines = (pick: (row: (typeof rows)[number][1]) => string | undefined): string[] =>
    rows.flatMap(([table, row]) => {
      const text = pick(row);
      return text === undefined ? [] : [`  ${table}: ${text}`];
    });
  return [
    `Your data, as of ${at.toISOString()}.`,
    '',
    'Times are in UTC. Amounts named micros are millionths of a US dollar.',
    'Passwords, tokens and other secrets are not in this archive. The service does not know most of them itself.',
    '',
    'Where what the service keeps about you is, by table:',
    ...lines((row) => ('file' in row ? `${row.file}.json` : 'within' in row ? row.within : undefined)),
    '',
    'What is not in this archive, and why:',
    ...lines((row) => ('leftOut' in row ? row.leftOut : undefined)),
    '',
  ].join('\n');
}
