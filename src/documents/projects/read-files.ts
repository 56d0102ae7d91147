// Reads the text of project files, one at a time per process: extracted once, split into pieces, embedded if something
// pays for it. A file is taken for a while; if its process dies, another one takes it, and gives up after a few tries.
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import { PROJECT_LIMITS } from '../../contract/project-limits.ts';
import type { Database } from '../../store/database.ts';
import type { TurnDeps } from '../../turns/answer-turn.ts';
import { extractText } from '../attachments/extract-text.ts';
import { splitText } from '../attachments/split-text.ts';
import { embedPieces } from './embed-pieces.ts';

export interface ReadDeps {
  readonly db: Database;
  readonly log: Log;
  readonly turns: TurnDeps;
}

const TAKEN_FOR = '5 minutes';
const MOST_TRIES = 3;
const EXTRACT_TIMEOUT_MS = 2 * 60_000;
/** The pieces of the longest text, and their overlaps. */
const MOST_PIECES = 1_000;

interface WaitingFile extends Record<string, unknown> {
  id: string;
  organization_id: string;
  workspace_id: string;
  project_id: string;
  user_id: string;
  name: string;
  type: string;
  tries: number;
  content: Buffer;
}

/** Reads files until none waits. */
export async function readWaitingFiles(deps: ReadDeps, signal: AbortSignal): Promise<void> {
  for (let file = await takeFile(deps.db); file && !signal.aborted; file = await takeFile(deps.db))
    await readFile(deps, file, signal);
}

async function takeFile(db: Database): Promise<WaitingFile | undefined> {
  const { rows } = await db.query<WaitingFile>(
    `with taken as (
       update :schema.project_file f set taken_until = now() + interval '${TAKEN_FOR}', tries = f.tries + 1
        where f.id = (select w.id from :schema.project_file w where w.state = 'waiting' and w.taken_until < now()
                       order by w.id limit 1 for update skip locked)
       returning f.*)
     select t.id, t.organization_id, t.workspace_id, t.project_id, t.user_id, t.name, t.type, t.tries, c.content
       from taken t join :schema.project_file_content c on c.file_id = t.id`,
  );
  return rows[0];
}

async function readFile({ db, log, turns }: ReadDeps, file: WaitingFile, signal: AbortSignal): Promise<void> {
  if (file.tries > MOST_TRIES) return endFile(db, file.id, 'internal');
  try {
    const { text } = await extractText(
      { bytes: file.content, type: file.type, name: file.name },
      AbortSignal.any([signal, AbortSignal.timeout(EXTRACT_TIMEOUT_MS)]),
    );
    const pieces = splitText(text.slice(0, PROJECT_LIMITS.characters).replaceAll('\0', ' '));
    if (pieces.length === 0) throw new AppError('file_without_text');
    await storePieces(db, file, pieces);
  } catch (error) {
    if (signal.aborted) return;
    // Others are being read; it is taken again later.
    if (error instanceof AppError && error.code === 'rate_limited') return;
    if (!(error instanceof AppError)) {
      log.warn({ err: error, fileId: file.id, tries: file.tries }, 'could not read the text of a project file');
      if (file.tries < MOST_TRIES) return;
    }
    return endFile(db, file.id, error instanceof AppError ? error.code : 'internal');
  }
  await endFile(db, file.id);
  await embedFile({ db, log, turns }, file, signal);
}

async function storePieces(db: Database, file: WaitingFile, pieces: readonly string[]): Promise<void> {
  // The file may have been deleted meanwhile.
  await db.query(
    `insert into :schema.project_piece (file_id, position, project_id, text, words)
     select f.id, p.at - 1, f.project_id, p.text, :schema.project_piece_words(f.project_id, p.text)
       from :schema.project_file f, unnest($2::text[]) with ordinality as p (text, at)
      where f.id = $1 on conflict do nothing`,
    [file.id, pieces],
  );
}

async function endFile(db: Database, id: string, reason?: string): Promise<void> {
  await db.query(`update :schema.project_file set state = $2, reason = $3 where id = $1 and state = 'waiting'`, [
    id,
    reason === undefined ? 'ready' : 'failed',
    reason ?? null,
  ]);
}

/** Without it the file is found by its words. The person who added it pays, like for a long attachment. */
async function embedFile({ db, log, turns }: ReadDeps, file: WaitingFile, signal: AbortSignal): Promise<void> {
  const caller = {
    userId: file.user_id,
    tokenId: undefined,
    organizationId: file.organization_id,
    workspace: file.workspace_id,
    projectId: file.project_id,
  };
  try {
    await embedPieces(
      { db, turns },
      caller,
      { projectId: file.project_id, fileId: file.id, most: MOST_PIECES },
      signal,
    );
  } catch (error) {
    if (!(error instanceof AppError) && !signal.aborted)
      log.warn({ err: error, fileId: file.id }, 'could not embed a project file');
  }
}
