// Works on one import: reads the file from its beginning, passes over what is decided, and decides the rest one by one. A
// process that takes over does the same. A conversation that ends its process again and again is left out.
import { join } from 'node:path';
import { AppError, type ErrorCode } from '../../base/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import { FileFault, type FileFaultKind } from '../../documents/attachments/file-fault.ts';
import { createProject } from '../../documents/projects/projects.ts';
import { programDirectory } from '../../process/package-root.ts';
import { createThreadPool, type ThreadPool } from '../../process/thread-pool.ts';
import type { Database } from '../../store/database.ts';
import { decide, SupersededError, TAKEN_FOR } from './import-items.ts';
import { dropPieces } from './imports.ts';
import { type ExportElement, type OpenExport, openExport } from './open-export.ts';
import type { ImportedProject, ReadElement } from './read-element.ts';
import type { ElementRun } from './read-element-thread.ts';
import { storedFile } from './stored-file.ts';
import { type Place, takeChat } from './take-chat.ts';

export interface ImportDeps {
  readonly db: Database;
  readonly log: Log;
  readonly storageBytes: number;
}

interface TakenImport extends Record<string, unknown> {
  id: string;
  organization_id: string;
  workspace_id: string;
  user_id: string;
  workspace_picked: boolean;
  with_projects: boolean;
  size: number;
  next: number;
  tries: number;
}

const EXTEND_EVERY_MS = 5_000;
const MOST_TRIES = 3;
export const MOST_ELEMENTS = 100_000;
const HEAP_MB = 512;
const TIME_LIMIT_MS = 30_000;

/** The import that has waited longest, or whose process is gone. */
export async function takeImport(db: Database): Promise<TakenImport | undefined> {
  const { rows } = await db.query<TakenImport>(
    `update :schema.chat_import i set state = 'running', taken_until = now() + interval '${TAKEN_FOR}', tries = i.tries + 1
      where i.id = (select w.id from :schema.chat_import w where w.state in ('waiting', 'running') and w.taken_until < now()
                     order by w.taken_until, w.id limit 1 for update skip locked)
     returning i.id, i.organization_id, i.workspace_id, i.user_id, i.workspace_picked, i.with_projects, i.size, i.next, i.tries`,
  );
  return rows[0];
}

export async function runImport(deps: ImportDeps, taken: TakenImport, stopping: AbortSignal): Promise<void> {
  const { db, log } = deps;
  const lost = new AbortController();
  const signal = AbortSignal.any([stopping, lost.signal]);
  const extending = setInterval(() => {
    extend(db, taken.id).then(
      (isOurs) => isOurs || lost.abort(),
      () => {},
    );
  }, EXTEND_EVERY_MS);
  try {
    await readFile(deps, taken, signal);
  } catch (error) {
    if (stopping.aborted) return await release(db, taken.id);
    if (error instanceof SupersededError || lost.signal.aborted) return;
    const reason = reasonOf(error);
    if (reason !== undefined) return await endImport(db, taken.id, reason);
    log.warn({ err: error, importId: taken.id, tries: taken.tries }, 'import of chats failed; it is tried again');
    if (taken.tries > 2 * MOST_TRIES) await endImport(db, taken.id, 'internal');
  } finally {
    clearInterval(extending);
  }
}

async function readFile(deps: ImportDeps, taken: TakenImport, signal: AbortSignal): Promise<void> {
  const { db } = deps;
  const opened = await openExport(storedFile(db, taken.id, taken.size));
  const work: Work = { ...deps, taken, opened, projects: new Map(), signal };
  let number = 0;
  for await (const element of opened.elements()) {
    signal.throwIfAborted();
    if (number >= MOST_ELEMENTS) throw new FileFault('too_complex');
    await decideElement(work, element, number);
    number++;
  }
  const { rows } = await db.query<{ recognized: boolean }>(
    `select exists (select 1 from :schema.chat_import_item e where e.import_id = $1 and e.reason is distinct from 'unknown-format') as recognized`,
    [taken.id],
  );
  await endImport(db, taken.id, rows[0]?.recognized ? undefined : 'import_format_unknown');
}

interface Work extends ImportDeps {
  readonly taken: TakenImport;
  readonly opened: OpenExport;
  /** Projects of the export by their ids there, or by their names. */
  readonly projects: Map<string, string>;
  readonly signal: AbortSignal;
}

async function decideElement(work: Work, { element, from, progress }: ExportElement, number: number): Promise<void> {
  const { db, taken } = work;
  const isDecided = number < taken.next;
  // Which projects there are has to be known again.
  if (isDecided && from === 'conversations') return;
  const at = { importId: taken.id, number, progress };
  const leaveOut = (title: string, reason: 'too-large' | 'internal'): Promise<void> =>
    db.transaction((tx) => decide(tx, at, { kind: 'chat', outcome: 'left-out', title, reason }));
  if (element.tooLarge !== undefined) return isDecided ? undefined : leaveOut('', 'too-large');
  if (number === taken.next && taken.tries > MOST_TRIES) return leaveOut('', 'internal');
  const read = await readOnThread(element.bytes, work.signal);
  if (read.kind === 'project') return takeProject(work, read, isDecided ? undefined : at);
  if (isDecided) return;
  if (read.kind === 'chat') {
    const place = placeOf(work);
    const projectId = await findProjectFor(work, read.project);
    return takeChat(db, read, { place, at, projectId, findFile: work.opened.findFile }, work.signal);
  }
  const { title, reason } = read;
  const kind = from === 'projects' ? 'project' : 'chat';
  await db.transaction((tx) => decide(tx, at, { kind, outcome: 'left-out', title, reason }));
}

function placeOf({ taken, storageBytes }: Work): Place {
  return {
    userId: taken.user_id,
    organizationId: taken.organization_id,
    workspaceId: taken.workspace_id,
    workspacePicked: taken.workspace_picked,
    storageBytes,
  };
}

type DecidedAt = Parameters<typeof decide>[1];

async function takeProject(work: Work, project: ImportedProject, at: DecidedAt | undefined): Promise<void> {
  const { db, taken, projects } = work;
  const { title, notes } = project;
  if (!taken.with_projects) {
    const decision = { kind: 'project', outcome: 'left-out', title, reason: 'not-wanted' } as const;
    if (at) await db.transaction((tx) => decide(tx, at, decision));
    return;
  }
  const made = await matchProject(work, project);
  if (made.id !== undefined) projects.set(project.sourceId, made.id);
  if (!at) return;
  await db.transaction((tx) =>
    decide(tx, at, {
      kind: 'project',
      outcome: made.id === undefined ? 'left-out' : made.isNew ? 'taken' : 'present',
      title,
      ...(made.id === undefined ? { reason: 'too-many-projects' } : { notes }),
    }),
  );
}

interface WantedProject {
  readonly title: string;
  readonly description?: string;
  readonly instructions?: string;
}

/** One that the person manages in the workspace, by its name; without an id if there is no room for another. */
async function matchProject(
  { db, taken }: Work,
  { title, description, instructions }: WantedProject,
): Promise<{ id: string | undefined; isNew: boolean }> {
  const { rows } = await db.query<{ id: string }>(
    `select p.id from :schema.project p where p.organization_id = $1 and p.workspace_id = $2 and p.name = $3
        and coalesce(p.managed_by, p.created_by) = $4 order by p.id limit 1`,
    [taken.organization_id, taken.workspace_id, title, taken.user_id],
  );
  if (rows[0]) return { id: rows[0].id, isNew: false };
  const place = { userId: taken.user_id, organizationId: taken.organization_id, workspaceId: taken.workspace_id };
  try {
    const { id } = await createProject(db, { ...place, name: title, description, instructions });
    return { id, isNew: true };
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_many_projects') return { id: undefined, isNew: false };
    throw error;
  }
}

async function findProjectFor(
  work: Work,
  project: { readonly id: string; readonly name?: string | undefined } | undefined,
): Promise<string | undefined> {
  if (!project || !work.taken.with_projects) return undefined;
  const known = work.projects.get(project.id);
  if (known !== undefined || project.name === undefined) return known;
  const { id } = await matchProject(work, { title: project.name.trim().slice(0, 100).toWellFormed() || project.id });
  if (id !== undefined) work.projects.set(project.id, id);
  return id;
}

let threads: ThreadPool<ElementRun, ReadElement> | undefined;

async function readOnThread(bytes: Buffer, signal: AbortSignal): Promise<ReadElement> {
  threads ??= createThreadPool({
    file: import.meta.filename.endsWith('.ts')
      ? join(import.meta.dirname, 'read-element-thread.ts')
      : join(programDirectory(), 'read-element-thread.js'),
    timeLimitMs: TIME_LIMIT_MS,
    mostWaiting: 10,
    threads: 1,
    memoryMb: HEAP_MB,
    tooSlow: () => new FileFault('too_complex'),
    tooMany: () => new AppError('rate_limited', { retryAfterSeconds: 10 }),
  });
  try {
    return await threads.run({ bytes, now: Date.now() }, signal);
  } catch (error) {
    if (error instanceof FileFault) return { kind: 'left-out', title: '', reason: 'too-large' };
    throw error;
  }
}

async function extend(db: Database, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update :schema.chat_import set taken_until = now() + interval '${TAKEN_FOR}' where id = $1 and state = 'running'`,
    [id],
  );
  return rowCount > 0;
}

/** Another process may go on at once. */
async function release(db: Database, id: string): Promise<void> {
  await db.query(
    "update :schema.chat_import set taken_until = '-infinity', tries = greatest(0, tries - 1) where id = $1 and state = 'running'",
    [id],
  );
}

async function endImport(db: Database, id: string, reason?: ErrorCode): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(
      "update :schema.chat_import set state = $2, reason = $3, ended_at = now() where id = $1 and state = 'running'",
      [id, reason === undefined ? 'done' : 'failed', reason ?? null],
    );
    await dropPieces(tx, id);
  });
}

const FAULTS = {
  damaged: 'file_damaged',
  encrypted: 'file_encrypted',
  too_complex: 'file_too_complex',
  without_text: 'import_format_unknown',
} as const satisfies Record<FileFaultKind, ErrorCode>;

/** Why the import cannot go on; undefined if it may help to try again. */
function reasonOf(error: unknown): ErrorCode | undefined {
  if (error instanceof FileFault) return FAULTS[error.kind];
  return error instanceof AppError && error.code === 'workspace_membership_required' ? error.code : undefined;
}
